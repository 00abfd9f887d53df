//! Probabilistic PCA in closed form.

use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;

use super::analysis::{PcaOptions, fit};
use super::choice::ComponentChoice;
use super::factor_model::FactorModel;
use crate::error::Error;
use crate::observations::Observations;

/// Probabilistic PCA with this many factors, by maximum likelihood (Tipping and Bishop, JRSS B 61, 1999).
///
/// The noise variance is the mean of the eigenvalues of the covariance matrix (of denominator Σ w) that are
/// dropped, W has the other eigenvectors times √(λ - σ²) as columns.
///
/// # Errors
/// If a value is missing, if there are not fewer factors than coordinates, or if the factors leave no
/// variance for the noise: the likelihood has no bound then.
pub fn probabilistic(data: &Observations, factors: usize) -> Result<FactorModel, Error> {
    let d = data.dimension();
    if factors >= d {
        return Err(DimensionError::new("factors, fewer than coordinates", d - 1, factors).into());
    }
    let total = data.total_weight();
    let analysis =
        fit(data, &PcaOptions { choice: ComponentChoice::Count(factors), ..PcaOptions::default() })?;
    let likely = (total - 1.0) / total;
    let noise = analysis.dropped_variance() * likely / (d - factors) as f64;
    let mut loadings = DMatrix::zeros(d, factors);
    for (j, direction) in analysis.components().column_iter().enumerate() {
        let own = (analysis.variances()[j] * likely - noise).max(0.0);
        loadings.set_column(j, &(direction * own.sqrt()));
    }
    FactorModel::new(analysis.mean(), &loadings, &vec![noise; d])
}
