//! Orthogonal reduction to triangular form: square roots of sums of squares.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

use super::engine;
use super::vector::{dot, dot_four, four_columns, subtract_multiple};

/// From this many rows the loops get the widest vectors of the machine.
const VECTORS_FROM: usize = 8;

/// From this many rows and columns the blocked kernels are faster than the loops.
const BLOCKED_FROM: usize = 256;

/// The upper triangular R with Rᵀ R = Mᵀ M and a diagonal that is not negative: the triangle of M = Q R.
///
/// R has as many rows and columns as M has columns; if M has fewer rows, the last rows of R are zero. By
/// Householder reflections: where a covariance Mᵀ M would lose half of the digits, R keeps them. Of filters
/// in square-root form this is the one step.
///
/// # Numerics
/// Rᵀ R is Mᵀ M up to a few m ε, column by column: badly scaled columns keep their digits.
///
/// # Cost
/// 2 k² (m - k/3) operations for m rows and k columns, in the memory of M.
///
/// # References
/// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 5.2.
///
/// ```
/// use posterior_math::linalg::{DMatrix, triangularize};
///
/// let r = triangularize(DMatrix::from_row_slice(2, 1, &[3.0, 4.0]));
/// assert_eq!(r.as_slice(), [5.0]);
/// ```
pub fn triangularize(mut stacked: DMatrix<f64>) -> DMatrix<f64> {
    let (rows, columns) = stacked.shape();
    if rows.min(columns) >= BLOCKED_FROM {
        engine::triangularize(&mut stacked);
    } else if rows < VECTORS_FROM {
        eliminate(stacked.as_mut_slice(), rows, columns);
    } else {
        eliminate_by_vectors(stacked.as_mut_slice(), rows, columns);
    }
    let mut triangle = DMatrix::zeros(columns, columns);
    for i in 0..rows.min(columns) {
        let sign = if stacked[(i, i)] < 0.0 { -1.0 } else { 1.0 };
        for j in i..columns {
            triangle[(i, j)] = sign * stacked[(i, j)];
        }
    }
    triangle
}

/// [`eliminate`] by the vectors of the machine.
pub(super) fn eliminate_by_vectors(stacked: &mut [f64], rows: usize, columns: usize) {
    Arch::new().dispatch(Eliminate { stacked, rows, columns });
}

/// [`eliminate`] for the vectors of the machine: as a closure it would not be inlined.
struct Eliminate<'a> {
    stacked: &'a mut [f64],
    rows: usize,
    columns: usize,
}

impl WithSimd for Eliminate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        eliminate(self.stacked, self.rows, self.columns);
    }
}

/// Leaves R, with a diagonal of any sign, in the upper triangle.
#[inline(always)]
fn eliminate(stacked: &mut [f64], rows: usize, columns: usize) {
    for j in 0..rows.min(columns) {
        let (done, rest) = stacked.split_at_mut((j + 1) * rows);
        let pivot = &mut done[j * rows + j..];
        let (length, weight) = reflect(pivot);
        if weight != 0.0 {
            reflect_columns(rest, rows, pivot, weight);
        }
        // The vector is used up: its first entry makes room for the diagonal of R.
        pivot[0] = length;
    }
}

/// Applies I - τ v vᵀ to the last rows of columns with `rows` entries, as many as v has; four at a time.
#[inline(always)]
fn reflect_columns(columns: &mut [f64], rows: usize, v: &[f64], weight: f64) {
    let from = rows - v.len();
    let mut rest = columns;
    while rest.len() >= 4 * rows {
        let (four, others) = rest.split_at_mut(4 * rows);
        let along = dot_four(four_columns(four, rows, 0, from), v);
        for k in 0..4 {
            subtract_multiple(&mut four[k * rows..][from..rows], weight * along[k], v);
        }
        rest = others;
    }
    while rest.len() >= rows {
        let (column, others) = rest.split_at_mut(rows);
        let column = &mut column[from..];
        subtract_multiple(column, weight * dot(v, column), v);
        rest = others;
    }
}

/// Replaces x by the vector v, v₀ = 1, of the reflection I - τ v vᵀ that maps x to a multiple of the first
/// axis. Returns that multiple and τ; τ is zero if nothing is to be done.
#[inline(always)]
fn reflect(x: &mut [f64]) -> (f64, f64) {
    let first = x[0];
    let norm = safe_norm(x);
    if norm == 0.0 || x[1..].iter().all(|&entry| entry == 0.0) {
        return (first, 0.0);
    }
    let length = if first > 0.0 { -norm } else { norm };
    let divisor = first - length;
    for entry in x.iter_mut() {
        *entry /= divisor;
    }
    x[0] = 1.0;
    (length, (length - first) / length)
}

/// |x|, without overflow or underflow of the squares.
#[inline(always)]
fn safe_norm(x: &[f64]) -> f64 {
    let square = dot(x, x);
    if square > 1e-250 && square < 1e250 {
        return square.sqrt();
    }
    // `f64::max` would lose a NaN.
    let largest = x.iter().fold(0.0, |most: f64, entry| if entry.abs() <= most { most } else { entry.abs() });
    if largest == 0.0 {
        return 0.0;
    }
    largest * x.iter().map(|entry| (entry / largest).powi(2)).sum::<f64>().sqrt()
}
