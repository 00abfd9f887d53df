//! The least covariance: maximum likelihood under Σ ⪰ diag(floor).

use posterior_math::linalg::{Cholesky, DMatrix, MatrixError, SymmetricEigen};

/// The nearest covariance (in likelihood) that is not below the floor, and whether it had to be raised.
///
/// In coordinates in which the floor is I, eigenvalues below 1 become 1: of all Σ ⪰ I this has the smallest
/// ln |Σ| + tr S Σ⁻¹.
///
/// # Errors
/// If an entry is not finite.
pub(super) fn raise(covariance: DMatrix<f64>, floor: &[f64]) -> Result<(DMatrix<f64>, bool), MatrixError> {
    if floor.contains(&0.0) {
        return Ok((covariance, false));
    }
    let d = floor.len();
    let unit: Vec<f64> = floor.iter().map(|floor| floor.sqrt()).collect();
    let scaled = DMatrix::from_fn(d, d, |i, j| covariance[(i, j)] / unit[i] / unit[j]);
    if Cholesky::decompose(&scaled - DMatrix::identity(d, d)).is_ok() {
        return Ok((covariance, false));
    }
    let eigen = SymmetricEigen::new(&scaled)?;
    let raised = eigen.function_of_matrix(|value| value.max(1.0));
    let back = |i: usize, j: usize| raised[(i.max(j), i.min(j))] * unit[i] * unit[j];
    Ok((DMatrix::from_fn(d, d, back), true))
}

/// A variance that is not below the floor, and whether it had to be raised.
pub(super) fn raise_variance(variance: f64, floor: f64) -> (f64, bool) {
    // NaN stays, for the distribution to refuse.
    if variance < floor { (floor, true) } else { (variance, false) }
}
