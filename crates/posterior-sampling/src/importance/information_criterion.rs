//! The widely applicable information criterion.

use posterior_math::linalg::DMatrix;
use posterior_math::streaming::MeanVariance;

use super::leave_one_out::{check_finite, ln_mean_density, sum_over_observations};
use crate::Error;
use crate::estimate::Estimate;

/// The widely applicable information criterion, on the scale of log densities (not times -2).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Waic {
    /// The expected log predictive density, with the error √(n V) as in
    /// [`PsisLeaveOneOut`](super::PsisLeaveOneOut).
    pub elpd: Estimate,
    /// Its terms.
    pub pointwise: Vec<f64>,
    /// The effective number of parameters, Σ Vₛ ln p(yᵢ | θₛ), with sample variances (ArviZ divides by S, and
    /// not by S - 1).
    pub effective_parameters: f64,
    /// The observations whose log density has a variance above 0.4, where the criterion begins to fail.
    pub unreliable: Vec<usize>,
}

/// WAIC from ln p(yᵢ | θₛ): a row for each draw of the posterior, a column for each observation.
///
/// Its terms are ln of the mean density less the variance of ln of the density.
/// [`leave_one_out`](super::leave_one_out) estimates the same and has the better diagnostic.
///
/// # Errors
/// A number that is NaN or infinite, by its draw and observation.
///
/// # References
/// S. Watanabe, Asymptotic equivalence of Bayes cross validation and widely applicable information criterion,
/// JMLR 11, 2010.
pub fn widely_applicable(ln_likelihood: &DMatrix<f64>) -> Result<Waic, Error> {
    const LARGEST_VARIANCE: f64 = 0.4;
    check_finite("widely_applicable", ln_likelihood)?;
    let variance = |column: &[f64]| column.iter().copied().collect::<MeanVariance>().sample_variance();
    let variances: Vec<f64> = ln_likelihood.column_iter().map(|column| variance(column.as_slice())).collect();
    let terms = ln_likelihood.column_iter().zip(&variances);
    let pointwise: Vec<f64> =
        terms.map(|(column, variance)| ln_mean_density(column.as_slice()) - variance).collect();
    Ok(Waic {
        elpd: sum_over_observations(&pointwise),
        pointwise,
        effective_parameters: variances.iter().sum(),
        unreliable: (0..variances.len()).filter(|&i| variances[i] > LARGEST_VARIANCE).collect(),
    })
}
