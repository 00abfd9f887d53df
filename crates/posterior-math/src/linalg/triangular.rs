//! Systems with a triangular matrix, solved in place.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use nalgebra::DMatrix;
use pulp::Arch;

use super::engine;
use super::vector::{column, dot, dot_four, four_columns, subtract_four, subtract_multiple};

/// From this many right-hand sides the blocked kernels are faster than one column after the other.
const BLOCKED_FROM: usize = 4;

/// For these numbers of rows; for fewer or more, two right-hand sides are enough.
const COLUMNS_WITHIN: std::ops::Range<usize> = 5..128;

/// From this many rows a single right-hand side gets the widest vectors of the machine.
const VECTORS_FROM: usize = 8;

/// B := L⁻¹ B for a square L of which only the lower triangle is read.
///
/// By substitution, n² operations a column. A diagonal entry that is zero, or so small that its reciprocal
/// overflows, gives infinities and NaN.
///
/// # Panics
/// Unless L is square and B has as many rows.
#[track_caller]
pub fn solve_lower_in_place(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    check(lower, b.nrows());
    solve(lower, b, engine::solve_lower, lower_vector);
}

/// B := L⁻ᵀ B for a square L of which only the lower triangle is read.
///
/// # Panics
/// Unless L is square and B has as many rows.
#[track_caller]
pub fn solve_lower_transpose_in_place(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    check(lower, b.nrows());
    solve(lower, b, engine::solve_lower_transpose, lower_transpose_vector);
}

/// B := U⁻¹ B for a square U of which only the upper triangle is read.
///
/// # Panics
/// Unless U is square and B has as many rows.
#[track_caller]
pub fn solve_upper_in_place(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    check(upper, b.nrows());
    solve(upper, b, engine::solve_upper, upper_vector);
}

/// B := U⁻ᵀ B for a square U of which only the upper triangle is read.
///
/// # Panics
/// Unless U is square and B has as many rows.
#[track_caller]
pub fn solve_upper_transpose_in_place(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    check(upper, b.nrows());
    solve(upper, b, engine::solve_upper_transpose, upper_transpose_vector);
}

#[track_caller]
pub(super) fn check(triangle: &DMatrix<f64>, rows: usize) {
    assert_eq!(triangle.nrows(), triangle.ncols(), "a triangular matrix is square");
    assert_eq!(triangle.nrows(), rows, "rows of the right-hand side");
}

fn solve(
    triangle: &DMatrix<f64>,
    b: &mut DMatrix<f64>,
    blocked: fn(&DMatrix<f64>, &mut DMatrix<f64>),
    vector: fn(&DMatrix<f64>, &mut [f64]),
) {
    let (rows, columns) = b.shape();
    if columns >= BLOCKED_FROM || columns > 1 && !COLUMNS_WITHIN.contains(&rows) {
        blocked(triangle, b);
    } else if rows > 0 {
        for column in b.as_mut_slice().chunks_exact_mut(rows) {
            vector(triangle, column);
        }
    }
}

/// b := L⁻¹ b, with the widest vectors of the machine if b is long enough to pay.
pub(super) fn lower_vector(lower: &DMatrix<f64>, b: &mut [f64]) {
    let lower = lower.as_slice();
    if b.len() < VECTORS_FROM {
        lower_kernel(lower, b);
    } else {
        Arch::new().dispatch(|| lower_kernel(lower, b));
    }
}

/// b := L⁻ᵀ b.
pub(super) fn lower_transpose_vector(lower: &DMatrix<f64>, b: &mut [f64]) {
    let lower = lower.as_slice();
    if b.len() < VECTORS_FROM {
        lower_transpose_kernel(lower, b);
    } else {
        Arch::new().dispatch(|| lower_transpose_kernel(lower, b));
    }
}

/// b := U⁻¹ b.
pub(super) fn upper_vector(upper: &DMatrix<f64>, b: &mut [f64]) {
    let upper = upper.as_slice();
    if b.len() < VECTORS_FROM {
        upper_kernel(upper, b);
    } else {
        Arch::new().dispatch(|| upper_kernel(upper, b));
    }
}

/// b := U⁻ᵀ b.
pub(super) fn upper_transpose_vector(upper: &DMatrix<f64>, b: &mut [f64]) {
    let upper = upper.as_slice();
    if b.len() < VECTORS_FROM {
        upper_transpose_kernel(upper, b);
    } else {
        Arch::new().dispatch(|| upper_transpose_kernel(upper, b));
    }
}

/// Forward, four columns at a time: their triangle first, then what they take from the rest of b.
#[inline(always)]
fn lower_kernel(lower: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut j = 0;
    while j + 4 <= n {
        let [p, q, r, s] = four_columns(lower, n, j, j);
        let (d0, d1, d2, d3) = (1.0 / p[0], 1.0 / q[1], 1.0 / r[2], 1.0 / s[3]);
        let (head, tail) = b[j..].split_at_mut(4);
        let x0 = head[0] * d0;
        let x1 = (head[1] - p[1] * x0) * d1;
        let x2 = (head[2] - p[2] * x0 - q[2] * x1) * d2;
        let x3 = (head[3] - p[3] * x0 - q[3] * x1 - r[3] * x2) * d3;
        let x = [x0, x1, x2, x3];
        head.copy_from_slice(&x);
        subtract_four(tail, x, [&p[4..], &q[4..], &r[4..], &s[4..]]);
        j += 4;
    }
    while j < n {
        let column = column(lower, n, j, j);
        let x = b[j] * (1.0 / column[0]);
        b[j] = x;
        subtract_multiple(&mut b[j + 1..], x, &column[1..]);
        j += 1;
    }
}

/// Backward: a row of Lᵀ is a column of L.
#[inline(always)]
fn lower_transpose_kernel(lower: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut j = n;
    while !j.is_multiple_of(4) {
        j -= 1;
        let column = column(lower, n, j, j);
        b[j] = (b[j] - dot(&column[1..], &b[j + 1..])) * (1.0 / column[0]);
    }
    while j > 0 {
        j -= 4;
        let [p, q, r, s] = four_columns(lower, n, j, j);
        let (d0, d1, d2, d3) = (1.0 / p[0], 1.0 / q[1], 1.0 / r[2], 1.0 / s[3]);
        let (head, tail) = b[j..].split_at_mut(4);
        let taken = dot_four([&p[4..], &q[4..], &r[4..], &s[4..]], tail);
        let x3 = (head[3] - taken[3]) * d3;
        let x2 = (head[2] - taken[2] - r[3] * x3) * d2;
        let x1 = (head[1] - taken[1] - q[3] * x3 - q[2] * x2) * d1;
        let x0 = (head[0] - taken[0] - p[3] * x3 - p[2] * x2 - p[1] * x1) * d0;
        head.copy_from_slice(&[x0, x1, x2, x3]);
    }
}

/// Backward, four columns at a time.
#[inline(always)]
fn upper_kernel(upper: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut j = n;
    while !j.is_multiple_of(4) {
        j -= 1;
        let column = column(upper, n, j, 0);
        let x = b[j] * (1.0 / column[j]);
        b[j] = x;
        subtract_multiple(&mut b[..j], x, &column[..j]);
    }
    while j > 0 {
        j -= 4;
        let [p, q, r, s] = four_columns(upper, n, j, j);
        let (d0, d1, d2, d3) = (1.0 / p[0], 1.0 / q[1], 1.0 / r[2], 1.0 / s[3]);
        let (above, head) = b.split_at_mut(j);
        let x3 = head[3] * d3;
        let x2 = (head[2] - s[2] * x3) * d2;
        let x1 = (head[1] - s[1] * x3 - r[1] * x2) * d1;
        let x0 = (head[0] - s[0] * x3 - r[0] * x2 - q[0] * x1) * d0;
        let x = [x0, x1, x2, x3];
        head[..4].copy_from_slice(&x);
        subtract_four(above, x, four_columns(upper, n, j, 0));
    }
}

/// Forward: a row of Uᵀ is a column of U.
#[inline(always)]
fn upper_transpose_kernel(upper: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut j = 0;
    while j + 4 <= n {
        let [p, q, r, s] = four_columns(upper, n, j, j);
        let (d0, d1, d2, d3) = (1.0 / p[0], 1.0 / q[1], 1.0 / r[2], 1.0 / s[3]);
        let (above, head) = b.split_at_mut(j);
        let taken = dot_four(four_columns(upper, n, j, 0), above);
        let x0 = (head[0] - taken[0]) * d0;
        let x1 = (head[1] - taken[1] - q[0] * x0) * d1;
        let x2 = (head[2] - taken[2] - r[0] * x0 - r[1] * x1) * d2;
        let x3 = (head[3] - taken[3] - s[0] * x0 - s[1] * x1 - s[2] * x2) * d3;
        head[..4].copy_from_slice(&[x0, x1, x2, x3]);
        j += 4;
    }
    while j < n {
        let column = column(upper, n, j, 0);
        b[j] = (b[j] - dot(&column[..j], &b[..j])) * (1.0 / column[j]);
        j += 1;
    }
}
