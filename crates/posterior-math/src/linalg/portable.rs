//! Large matrices without faer: blocks, so that nearly all operations are products, which the crate
//! `matrixmultiply` works on.

use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, DVector, Dyn, Schur};

use super::cholesky::factor::factor_panel;
use super::symmetric_eigen::by_nalgebra;
use super::triangular::{lower_transpose_vector, lower_vector, upper_transpose_vector, upper_vector};
use super::triangularize::eliminate_by_vectors;
use super::view::View;

/// Columns of a block: few enough for the loops inside of it, enough for the products outside.
const BLOCK: usize = 48;

/// Entries this much smaller than the largest one are zero to the solver of eigenvalues: their squares
/// underflow there.
const NEGLIGIBLE: f64 = 1e-140;

/// Steps of the QR iteration for each row; about two are usual.
const STEPS_PER_ROW: usize = 100;

/// Replaces the lower triangle of a square matrix by its Cholesky factor, or returns the index of the pivot
/// that is not positive and finite; its value is then on the diagonal.
pub(super) fn cholesky_in_place(matrix: &mut DMatrix<f64>) -> Result<(), usize> {
    let n = matrix.nrows();
    for k in (0..n).step_by(BLOCK) {
        let (rows, width) = (n - k, BLOCK.min(n - k));
        let mut panel = matrix.view((k, k), (rows, width)).into_owned();
        if k > 0 {
            let left = matrix.view((k, 0), (rows, k));
            panel.gemm(-1.0, &left, &left.rows(0, width).transpose(), 1.0);
        }
        let outcome = factor_panel(panel.as_mut_slice(), rows);
        matrix.view_mut((k, k), (rows, width)).copy_from(&panel);
        outcome.map_err(|pivot| k + pivot)?;
    }
    Ok(())
}

/// B := L⁻¹ B.
pub(super) fn solve_lower(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    solve_lower_view(lower.as_view(), b);
}

/// B := L⁻¹ B, forwards: the rows that are solved leave the rows below.
fn solve_lower_view(lower: DMatrixView<'_, f64>, b: &mut DMatrix<f64>) {
    let n = lower.nrows();
    for k in (0..n).step_by(BLOCK) {
        let (width, next) = (BLOCK.min(n - k), n.min(k + BLOCK));
        let solved = solve_block(lower, k, width, b, lower_vector);
        let below = lower.view((next, k), (n - next, width));
        b.rows_mut(next, n - next).gemm(-1.0, &below, &solved, 1.0);
    }
}

/// B := L⁻ᵀ B, backwards: what was solved below is taken from each block of rows.
pub(super) fn solve_lower_transpose(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let n = lower.nrows();
    for k in (0..n).step_by(BLOCK).rev() {
        let (width, next) = (BLOCK.min(n - k), n.min(k + BLOCK));
        let below = lower.view((next, k), (n - next, width)).transpose();
        let solved = b.rows(next, n - next).into_owned();
        b.rows_mut(k, width).gemm(-1.0, &below, &solved, 1.0);
        solve_block(lower.as_view(), k, width, b, lower_transpose_vector);
    }
}

/// B := U⁻¹ B, backwards: the rows that are solved leave the rows above.
pub(super) fn solve_upper(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let n = upper.nrows();
    for k in (0..n).step_by(BLOCK).rev() {
        let width = BLOCK.min(n - k);
        let solved = solve_block(upper.as_view(), k, width, b, upper_vector);
        b.rows_mut(0, k).gemm(-1.0, &upper.view((0, k), (k, width)), &solved, 1.0);
    }
}

/// B := U⁻ᵀ B, forwards: what was solved above is taken from each block of rows.
pub(super) fn solve_upper_transpose(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let n = upper.nrows();
    for k in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - k);
        let above = upper.view((0, k), (k, width)).transpose();
        let solved = b.rows(0, k).into_owned();
        b.rows_mut(k, width).gemm(-1.0, &above, &solved, 1.0);
        solve_block(upper.as_view(), k, width, b, upper_transpose_vector);
    }
}

/// Solves the block of the diagonal that begins at `k`, for its rows of B, which are also returned.
fn solve_block(
    triangle: DMatrixView<'_, f64>,
    k: usize,
    width: usize,
    b: &mut DMatrix<f64>,
    solve: fn(&DMatrix<f64>, &mut [f64]),
) -> DMatrix<f64> {
    let block = triangle.view((k, k), (width, width)).into_owned();
    let mut rows = b.rows(k, width).into_owned();
    for column in rows.as_mut_slice().chunks_exact_mut(width) {
        solve(&block, column);
    }
    b.rows_mut(k, width).copy_from(&rows);
    rows
}

/// L⁻¹, with zeros above the diagonal.
pub(crate) fn invert_lower(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let n = lower.nrows();
    let mut inverse = DMatrix::zeros(n, n);
    for k in (0..n).step_by(BLOCK) {
        let (rows, width) = (n - k, BLOCK.min(n - k));
        let mut columns = DMatrix::identity(rows, width);
        solve_lower_view(lower.view((k, k), (rows, rows)), &mut columns);
        inverse.view_mut((k, k), (rows, width)).copy_from(&columns);
    }
    inverse
}

/// The lower triangle of L⁻ᵀ L⁻¹, with zeros above the diagonal.
pub(super) fn inverse_of_product(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let n = lower.nrows();
    let inverse = invert_lower(lower);
    let transpose = inverse.transpose();
    let mut product = DMatrix::zeros(n, n);
    for k in (0..n).step_by(BLOCK) {
        let (rows, width) = (n - k, BLOCK.min(n - k));
        let right = inverse.view((k, k), (rows, width));
        product.view_mut((k, k), (rows, width)).gemm(1.0, &transpose.view((k, k), (rows, rows)), &right, 0.0);
    }
    product.fill_upper_triangle(0.0, 1);
    product
}

/// A B.
pub(super) fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    a * b
}

/// Writes c A B into columns that are `stride` entries long.
pub(super) fn product_of_views(target: &mut [f64], stride: usize, c: f64, a: View<'_>, b: View<'_>) {
    let mut target =
        DMatrixViewMut::<f64, Dyn, Dyn>::from_slice_with_strides_mut(target, a.rows, b.columns, 1, stride);
    target.gemm(c, &strided(a), &strided(b), 0.0);
}

fn strided(view: View<'_>) -> DMatrixView<'_, f64, Dyn, Dyn> {
    let View { entries, rows, columns, row_stride, column_stride } = view;
    DMatrixView::from_slice_with_strides(entries, rows, columns, row_stride, column_stride)
}

/// Aᵀ B.
pub(super) fn transpose_product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    a.transpose() * b
}

/// A Bᵀ.
pub(super) fn product_transpose(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    a * b.transpose()
}

/// Aᵀ A.
pub(super) fn gram_of_columns(a: &DMatrix<f64>) -> DMatrix<f64> {
    gram(&a.transpose(), a)
}

/// A Aᵀ.
pub(super) fn gram_of_rows(a: &DMatrix<f64>) -> DMatrix<f64> {
    gram(a, &a.transpose())
}

/// A symmetric product of two matrices: the blocks on and below the diagonal, and their mirror images.
fn gram(left: &DMatrix<f64>, right: &DMatrix<f64>) -> DMatrix<f64> {
    let n = left.nrows();
    let mut product = DMatrix::zeros(n, n);
    for k in (0..n).step_by(BLOCK) {
        let (rows, width) = (n - k, BLOCK.min(n - k));
        product.view_mut((k, k), (rows, width)).gemm(1.0, &left.rows(k, rows), &right.columns(k, width), 0.0);
    }
    product.fill_upper_triangle_with_lower_triangle();
    product
}

/// Leaves the triangle R of A = Q R, with a diagonal of any sign, in the upper triangle of A.
pub(super) fn triangularize(a: &mut DMatrix<f64>) {
    let (rows, columns) = a.shape();
    eliminate_by_vectors(a.as_mut_slice(), rows, columns);
}

/// The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors; only the lower triangle is
/// read. At least one row.
pub(super) fn symmetric_eigen(matrix: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let lower = matrix.lower_triangle();
    let size = lower.amax();
    let size = if size > 0.0 { size } else { 1.0 };
    let scaled = lower.map(|entry| if (entry / size).abs() < NEGLIGIBLE { 0.0 } else { entry / size });
    by_nalgebra(&scaled).map(|(values, vectors)| (values * size, vectors))
}

/// The eigenvalues of a square matrix, as their real and imaginary parts.
pub(super) fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<(f64, f64)>> {
    if matrix.is_empty() {
        return Some(Vec::new());
    }
    schur_values(matrix.clone()).or_else(|| schur_values(reflected(matrix)))
}

fn schur_values(matrix: DMatrix<f64>) -> Option<Vec<(f64, f64)>> {
    let steps = STEPS_PER_ROW * matrix.nrows();
    let schur = Schur::try_new(matrix, f64::EPSILON, steps)?;
    Some(schur.complex_eigenvalues().iter().map(|value| (value.re, value.im)).collect())
}

/// H A H for a reflection H along no axis: the same eigenvalues where the shifts of the iteration stand
/// still, as they do for cyclic permutations.
fn reflected(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let irregular = DVector::from_fn(matrix.nrows(), |i, _| ((i + 1) as f64).sqrt().fract() + 0.5);
    let v = irregular.normalize();
    let rows = matrix - (&v * 2.0) * v.tr_mul(matrix);
    &rows - (&rows * &v) * (v.transpose() * 2.0)
}
