//! Orthogonal reduction to triangular form: square roots of sums of squares.

use nalgebra::DMatrix;

use super::vector::{dot, subtract_multiple};

/// The upper triangular R with Rᵀ R = Mᵀ M and a diagonal that is not negative: the triangle of M = Q R.
///
/// R has as many rows and columns as M has columns; if M has fewer rows, the last rows of R are zero. By Householder
/// reflections: where a covariance Mᵀ M would lose half of the digits, R keeps them. Of filters in square-root form this
/// is the one step.
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
    for j in 0..rows.min(columns) {
        let (done, rest) = stacked.as_mut_slice().split_at_mut((j + 1) * rows);
        let pivot = &mut done[j * rows + j..];
        let (length, weight) = reflect(pivot);
        if weight != 0.0 {
            for other in rest.chunks_exact_mut(rows) {
                let other = &mut other[j..];
                let along = weight * dot(pivot, other);
                subtract_multiple(other, along, pivot);
            }
        }
        // The vector is used up: its first entry makes room for the diagonal of R.
        pivot[0] = length;
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

/// Replaces x by the vector v, v₀ = 1, of the reflection I - τ v vᵀ that maps x to a multiple of the first axis. Returns
/// that multiple and τ; τ is zero if nothing is to be done.
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
