//! Derivatives through the Cholesky factor, solutions of linear systems and log-determinants.
//!
//! An adjoint x̄ is the gradient of a scalar function in x. The adjoint of a symmetric matrix is symmetric
//! here: the function changes by Σᵢⱼ Āᵢⱼ dAᵢⱼ for a symmetric dA. What a factor holds above the diagonal is
//! never read.

use crate::linalg::{DMatrix, DVector};

/// The change of the lower Cholesky factor L of A when A changes by the symmetric `change`: L Φ(L⁻¹ dA L⁻ᵀ),
/// where Φ keeps the lower triangle and half of the diagonal. O(n³); NaN if L is singular.
///
/// # References
/// I. Murray, Differentiation of the Cholesky decomposition, arXiv 1602.07527, equation 8.
///
/// # Panics
/// If the sizes differ.
#[track_caller]
pub fn cholesky_differential(factor: &DMatrix<f64>, change: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(factor.shape(), change.shape(), "matrices of different sizes");
    let left = solve_lower(factor, change.clone());
    let both = solve_lower(factor, left.transpose());
    factor.lower_triangle() * half_lower(&both)
}

/// Ā from L̄, for A = L Lᵀ: the symmetric part of L⁻ᵀ Φ(Lᵀ L̄) L⁻¹. O(n³); NaN if L is singular.
///
/// Of L̄ the lower triangle is read.
///
/// ```
/// use posterior_math::autodiff::cholesky_adjoint;
/// use posterior_math::linalg::DMatrix;
///
/// // f(A) = L₁₁ = √A₁₁ has the derivative 1 / (2 √A₁₁).
/// let factor = DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 1.0, 3.0]);
/// let adjoint = cholesky_adjoint(&factor, &DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]));
/// assert!((adjoint - DMatrix::from_row_slice(2, 2, &[0.25, 0.0, 0.0, 0.0])).amax() < 1e-16);
/// ```
///
/// # References
/// I. Murray, Differentiation of the Cholesky decomposition, arXiv 1602.07527, equation 10.
///
/// # Panics
/// If the sizes differ.
#[track_caller]
pub fn cholesky_adjoint(factor: &DMatrix<f64>, factor_adjoint: &DMatrix<f64>) -> DMatrix<f64> {
    assert_eq!(factor.shape(), factor_adjoint.shape(), "matrices of different sizes");
    let inner = half_lower(&factor.lower_triangle().tr_mul(&factor_adjoint.lower_triangle()));
    // L⁻ᵀ P L⁻¹ = (L⁻ᵀ (L⁻ᵀ P)ᵀ)ᵀ, and the symmetric part doesn't see the outer transposition.
    let left = solve_lower_transposed(factor, inner);
    let both = solve_lower_transposed(factor, left.transpose());
    symmetric_part(&both)
}

/// (b̄, Ā) from x̄, for A x = b and A = L Lᵀ: b̄ = A⁻¹ x̄ and Ā = -(b̄ xᵀ + x b̄ᵀ) / 2. O(n²); NaN if L is
/// singular.
///
/// # Panics
/// If the sizes differ.
#[track_caller]
pub fn solve_adjoint(
    factor: &DMatrix<f64>,
    solution: &DVector<f64>,
    solution_adjoint: &DVector<f64>,
) -> (DVector<f64>, DMatrix<f64>) {
    assert_eq!(factor.nrows(), solution.len(), "a solution of another length");
    assert_eq!(factor.nrows(), solution_adjoint.len(), "an adjoint of another length");
    let n = solution.len();
    let right = DMatrix::from_column_slice(n, 1, solution_adjoint.as_slice());
    let solved = solve_lower_transposed(factor, solve_lower(factor, right));
    let right_adjoint = solved.column(0).into_owned();
    let matrix_adjoint = -symmetric_part(&(&right_adjoint * solution.transpose()));
    (right_adjoint, matrix_adjoint)
}

/// Ā from the adjoint `scale` of ln det A, A = L Lᵀ: `scale` A⁻¹. O(n³); NaN if L is singular.
///
/// The change of ln det A is the sum of the products of its elements with those of dA.
pub fn ln_determinant_adjoint(factor: &DMatrix<f64>, scale: f64) -> DMatrix<f64> {
    let n = factor.nrows();
    let inverse = solve_lower(factor, DMatrix::identity(n, n));
    inverse.tr_mul(&inverse) * scale
}

/// L⁻¹ B; NaN if L is singular.
fn solve_lower(factor: &DMatrix<f64>, mut b: DMatrix<f64>) -> DMatrix<f64> {
    if !factor.solve_lower_triangular_mut(&mut b) {
        b.fill(f64::NAN);
    }
    b
}

/// L⁻ᵀ B; NaN if L is singular.
fn solve_lower_transposed(factor: &DMatrix<f64>, mut b: DMatrix<f64>) -> DMatrix<f64> {
    if !factor.tr_solve_lower_triangular_mut(&mut b) {
        b.fill(f64::NAN);
    }
    b
}

/// Φ: the lower triangle with half of the diagonal.
fn half_lower(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let mut lower = matrix.lower_triangle();
    for i in 0..lower.nrows() {
        lower[(i, i)] *= 0.5;
    }
    lower
}

/// (M + Mᵀ) / 2.
fn symmetric_part(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    (matrix + matrix.transpose()) * 0.5
}
