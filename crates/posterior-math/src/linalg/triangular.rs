//! Systems with a triangular matrix, solved in place.

use nalgebra::DMatrix;

use super::engine;
use super::vector::{dot, subtract_multiple};

/// With this many rows or more, and this many right-hand sides or more, blocks of the matrix pay.
const BLOCKED_FROM: (usize, usize) = (16, 4);

/// B := L⁻¹ B for a square L of which only the lower triangle is read.
///
/// By substitution, n² operations a column. A zero on the diagonal of L gives infinities and NaN.
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
    let n = triangle.nrows();
    if n >= BLOCKED_FROM.0 && b.ncols() >= BLOCKED_FROM.1 {
        blocked(triangle, b);
    } else if n > 0 {
        for column in b.as_mut_slice().chunks_exact_mut(n) {
            vector(triangle, column);
        }
    }
}

/// b := L⁻¹ b, column by column of L.
pub(super) fn lower_vector(lower: &DMatrix<f64>, b: &mut [f64]) {
    for (j, column) in lower.as_slice().chunks_exact(b.len().max(1)).enumerate() {
        let (head, tail) = b.split_at_mut(j + 1);
        let x = head[j] / column[j];
        head[j] = x;
        subtract_multiple(tail, x, &column[j + 1..]);
    }
}

/// b := L⁻ᵀ b: row j of Lᵀ is column j of L.
pub(super) fn lower_transpose_vector(lower: &DMatrix<f64>, b: &mut [f64]) {
    for (j, column) in lower.as_slice().chunks_exact(b.len().max(1)).enumerate().rev() {
        b[j] = (b[j] - dot(&column[j + 1..], &b[j + 1..])) / column[j];
    }
}

/// b := U⁻¹ b, column by column of U.
pub(super) fn upper_vector(upper: &DMatrix<f64>, b: &mut [f64]) {
    for (j, column) in upper.as_slice().chunks_exact(b.len().max(1)).enumerate().rev() {
        let x = b[j] / column[j];
        b[j] = x;
        subtract_multiple(&mut b[..j], x, &column[..j]);
    }
}

/// b := U⁻ᵀ b.
pub(super) fn upper_transpose_vector(upper: &DMatrix<f64>, b: &mut [f64]) {
    for (j, column) in upper.as_slice().chunks_exact(b.len().max(1)).enumerate() {
        b[j] = (b[j] - dot(&column[..j], &b[..j])) / column[j];
    }
}
