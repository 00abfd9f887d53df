//! Products of matrices, by the kernel that is fastest for their size.

use nalgebra::DMatrix;

use super::engine;
use super::view::{View, multiply_plainly};

/// Below this many multiplications a plain loop is faster than the blocked kernels.
const BLOCKED_FROM: usize = 100;

/// From this many rows on it pays to compute one triangle of a symmetric product only.
const TRIANGLE_FROM: usize = 64;

/// Up to this size in one direction, plain loops are faster for parts of larger matrices.
const SMALL: usize = 8;

/// Writes c A B into columns that are `stride` entries long, from their beginnings on.
pub(crate) fn multiply_views(target: &mut [f64], stride: usize, c: f64, a: View<'_>, b: View<'_>) {
    debug_assert_eq!(a.columns, b.rows, "inner sizes of the product");
    if a.rows == 0 || b.columns == 0 {
        return;
    }
    if a.rows.min(a.columns).min(b.columns) <= SMALL {
        multiply_plainly(target, stride, c, a, b);
    } else {
        engine::product_of_views(target, stride, c, a, b);
    }
}

/// A B.
///
/// # Panics
/// Unless A has as many columns as B has rows.
///
/// ```
/// use posterior_math::linalg::{DMatrix, multiply};
///
/// let a = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(multiply(&a, &a), DMatrix::from_row_slice(2, 2, &[7.0, 10.0, 15.0, 22.0]));
/// ```
#[track_caller]
pub fn multiply(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(a.ncols(), b.nrows(), "columns of A and rows of B");
    if is_small(a.nrows(), a.ncols(), b.ncols()) { a * b } else { engine::product(a, b) }
}

/// Aᵀ B.
///
/// # Panics
/// Unless A and B have as many rows.
#[track_caller]
pub fn transpose_multiply(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(a.nrows(), b.nrows(), "rows of A and B");
    if is_small(a.ncols(), a.nrows(), b.ncols()) { a.tr_mul(b) } else { engine::transpose_product(a, b) }
}

/// A Bᵀ.
///
/// # Panics
/// Unless A and B have as many columns.
#[track_caller]
pub fn multiply_transpose(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(a.ncols(), b.ncols(), "columns of A and B");
    if is_small(a.nrows(), a.ncols(), b.nrows()) {
        a * b.transpose()
    } else {
        engine::product_transpose(a, b)
    }
}

/// Aᵀ A, the inner products of the columns, symmetric to the last bit.
pub fn gram_of_columns(a: &DMatrix<f64>) -> DMatrix<f64> {
    if a.ncols() < TRIANGLE_FROM {
        let mut product = transpose_multiply(a, a);
        product.fill_upper_triangle_with_lower_triangle();
        product
    } else {
        engine::gram_of_columns(a)
    }
}

/// A Aᵀ, the inner products of the rows, symmetric to the last bit.
pub fn gram_of_rows(a: &DMatrix<f64>) -> DMatrix<f64> {
    if a.nrows() < TRIANGLE_FROM {
        let mut product = multiply_transpose(a, a);
        product.fill_upper_triangle_with_lower_triangle();
        product
    } else {
        engine::gram_of_rows(a)
    }
}

/// A B Aᵀ for a symmetric B, symmetric to the last bit: the covariance of A x, if that of x is B.
///
/// # Panics
/// Unless B is square with as many rows as A has columns.
#[track_caller]
pub fn congruence(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let mut product = multiply_transpose(&multiply(a, b), a);
    symmetrize(&mut product);
    product
}

/// Replaces a square matrix by its symmetric part, (A + Aᵀ)/2.
///
/// # Panics
/// Unless the matrix is square.
#[track_caller]
pub fn symmetrize(matrix: &mut DMatrix<f64>) {
    assert_eq!(matrix.nrows(), matrix.ncols(), "only square matrices have a symmetric part");
    for j in 0..matrix.ncols() {
        for i in j + 1..matrix.nrows() {
            let mean = 0.5 * matrix[(i, j)] + 0.5 * matrix[(j, i)];
            matrix[(i, j)] = mean;
            matrix[(j, i)] = mean;
        }
    }
}

const fn is_small(rows: usize, inner: usize, columns: usize) -> bool {
    rows.saturating_mul(inner).saturating_mul(columns) < BLOCKED_FROM
}
