//! The bridge to faer, which works on large matrices: views without copies, and how many threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::linalg::evd;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::qr::no_pivoting::factor as qr;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, ColMut, MatMut, MatRef, Par, Spec};
use nalgebra::{DMatrix, DVector};

use super::view::View;

/// From this size up two threads are faster than one.
#[cfg(feature = "rayon")]
const PARALLEL_FROM: usize = 512;

fn view(matrix: &DMatrix<f64>) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(matrix.as_slice(), matrix.nrows(), matrix.ncols())
}

fn view_mut(matrix: &mut DMatrix<f64>) -> MatMut<'_, f64> {
    let (rows, columns) = matrix.shape();
    MatMut::from_column_major_slice_mut(matrix.as_mut_slice(), rows, columns)
}

/// The threads for work on a matrix with `size` rows: those of the pool, where there are more than one.
#[cfg(feature = "rayon")]
fn threads(size: usize) -> Par {
    let pool = Par::rayon(0);
    if size >= PARALLEL_FROM && pool.degree() > 1 { pool } else { Par::Seq }
}

/// The threads for work on a matrix: one.
#[cfg(not(feature = "rayon"))]
const fn threads(_size: usize) -> Par {
    Par::Seq
}

/// Replaces the lower triangle of a square matrix by its Cholesky factor, or returns the index of the pivot
/// that is not positive and finite; its value is then on the diagonal.
pub(super) fn cholesky_in_place(matrix: &mut DMatrix<f64>) -> Result<(), usize> {
    let n = matrix.nrows();
    let par = threads(n);
    let mut memory = MemBuffer::new(llt::factor::cholesky_in_place_scratch::<f64>(n, par, Spec::default()));
    let stack = MemStack::new(&mut memory);
    llt::factor::cholesky_in_place(
        view_mut(matrix),
        LltRegularization::default(),
        par,
        stack,
        Spec::default(),
    )
    .map(|_| ())
    .map_err(|llt::factor::LltError::NonPositivePivot { index }| index)
}

/// B := L⁻¹ B.
pub(super) fn solve_lower(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let par = threads(lower.nrows());
    solve_lower_triangular_in_place(view(lower), view_mut(b), par);
}

/// B := L⁻ᵀ B.
pub(super) fn solve_lower_transpose(lower: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let par = threads(lower.nrows());
    solve_upper_triangular_in_place(view(lower).transpose(), view_mut(b), par);
}

/// B := U⁻¹ B.
pub(super) fn solve_upper(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let par = threads(upper.nrows());
    solve_upper_triangular_in_place(view(upper), view_mut(b), par);
}

/// B := U⁻ᵀ B.
pub(super) fn solve_upper_transpose(upper: &DMatrix<f64>, b: &mut DMatrix<f64>) {
    let par = threads(upper.nrows());
    solve_lower_triangular_in_place(view(upper).transpose(), view_mut(b), par);
}

/// L⁻¹, with zeros above the diagonal.
pub(crate) fn invert_lower(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let n = lower.nrows();
    let mut inverse = DMatrix::zeros(n, n);
    invert_lower_triangular(view_mut(&mut inverse), view(lower), threads(n));
    inverse
}

/// The lower triangle of L⁻ᵀ L⁻¹, with zeros above the diagonal: of both factors and of the result only
/// triangles are computed.
pub(super) fn inverse_of_product(lower: &DMatrix<f64>) -> DMatrix<f64> {
    let n = lower.nrows();
    let inverse = invert_lower(lower);
    let mut product = DMatrix::zeros(n, n);
    triangular::matmul(
        view_mut(&mut product),
        BlockStructure::TriangularLower,
        Accum::Replace,
        view(&inverse).transpose(),
        BlockStructure::TriangularUpper,
        view(&inverse),
        BlockStructure::TriangularLower,
        1.0,
        threads(n),
    );
    product
}

fn general_product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> DMatrix<f64> {
    let mut product = DMatrix::zeros(a.nrows(), b.ncols());
    let par = threads(a.nrows().max(b.ncols()));
    matmul(view_mut(&mut product), Accum::Replace, a, b, 1.0, par);
    product
}

/// A B.
pub(super) fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    general_product(view(a), view(b))
}

/// Writes c A B into columns that are `stride` entries long.
pub(super) fn product_of_views(target: &mut [f64], stride: usize, c: f64, a: View<'_>, b: View<'_>) {
    let target = MatMut::from_column_major_slice_with_stride_mut(target, a.rows, b.columns, stride);
    matmul(target, Accum::Replace, strided(a), strided(b), c, threads(a.rows.max(b.columns)));
}

fn strided(view: View<'_>) -> MatRef<'_, f64> {
    let View { entries, rows, columns, row_stride, column_stride } = view;
    if row_stride == 1 {
        MatRef::from_column_major_slice_with_stride(entries, rows, columns, column_stride)
    } else {
        MatRef::from_row_major_slice_with_stride(entries, rows, columns, row_stride)
    }
}

/// Aᵀ B.
pub(super) fn transpose_product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    general_product(view(a).transpose(), view(b))
}

/// A Bᵀ.
pub(super) fn product_transpose(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    general_product(view(a), view(b).transpose())
}

/// Aᵀ A.
pub(super) fn gram_of_columns(a: &DMatrix<f64>) -> DMatrix<f64> {
    gram(view(a))
}

/// A Aᵀ.
pub(super) fn gram_of_rows(a: &DMatrix<f64>) -> DMatrix<f64> {
    gram(view(a).transpose())
}

fn gram(a: MatRef<'_, f64>) -> DMatrix<f64> {
    let n = a.ncols();
    let mut product = DMatrix::zeros(n, n);
    triangular::matmul(
        view_mut(&mut product),
        BlockStructure::TriangularLower,
        Accum::Replace,
        a.transpose(),
        BlockStructure::Rectangular,
        a,
        BlockStructure::Rectangular,
        1.0,
        threads(n),
    );
    product.fill_upper_triangle_with_lower_triangle();
    product
}

/// Leaves the triangle R of A = Q R, with a diagonal of any sign, in the upper triangle of A. One thread, so
/// that the result depends on nothing else.
pub(super) fn triangularize(a: &mut DMatrix<f64>) {
    let (rows, columns) = a.shape();
    let block = qr::recommended_block_size::<f64>(rows, columns);
    let mut coefficients = DMatrix::zeros(block, rows.min(columns));
    let scratch = qr::qr_in_place_scratch::<f64>(rows, columns, block, Par::Seq, Spec::default());
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    qr::qr_in_place(view_mut(a), view_mut(&mut coefficients), Par::Seq, stack, Spec::default());
}

/// The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors; only the lower triangle is
/// read. At least one row. One thread: with more, the last digits depend on how many.
pub(super) fn symmetric_eigen(matrix: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let n = matrix.nrows();
    let par = Par::Seq;
    let mut values = DVector::zeros(n);
    let mut vectors = DMatrix::zeros(n, n);
    let scratch =
        evd::self_adjoint_evd_scratch::<f64>(n, evd::ComputeEigenvectors::Yes, par, Spec::default());
    let mut memory = MemBuffer::new(scratch);
    evd::self_adjoint_evd(
        view(matrix),
        ColMut::from_slice_mut(values.as_mut_slice()).as_diagonal_mut(),
        Some(view_mut(&mut vectors)),
        par,
        MemStack::new(&mut memory),
        Spec::default(),
    )
    .ok()?;
    Some((values, vectors))
}

/// The eigenvalues of a square matrix, as their real and imaginary parts. One thread, as above.
pub(super) fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<(f64, f64)>> {
    let n = matrix.nrows();
    let (no, par) = (evd::ComputeEigenvectors::No, Par::Seq);
    let (mut re, mut im) = (vec![0.0; n], vec![0.0; n]);
    let mut memory = MemBuffer::new(evd::evd_scratch::<f64>(n, no, no, par, Spec::default()));
    evd::evd_real(
        view(matrix),
        ColMut::from_slice_mut(&mut re).as_diagonal_mut(),
        ColMut::from_slice_mut(&mut im).as_diagonal_mut(),
        None,
        None,
        par,
        MemStack::new(&mut memory),
        Spec::default(),
    )
    .ok()?;
    Some(re.into_iter().zip(im).collect())
}
