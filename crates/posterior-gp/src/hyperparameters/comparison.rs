//! Several kernels for the same data, by their evidence.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

use super::{FittedModel, HyperparameterOptions, Regression, fit};
use crate::{Error, GaussianProcess, GaussianProcessPosterior, Noise};

/// A model among others, fitted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ComparedModel {
    /// Its place in the list that was given.
    pub place: usize,
    /// The posterior at the best parameters, and how they were found.
    pub fitted: FittedModel<GaussianProcessPosterior>,
    /// -2 ln p(y) + p ln n for p parameters: as the evidence, with a price for the parameters that were
    /// fitted.
    pub bic: f64,
    /// By how much its ln evidence is below the largest one.
    pub behind: f64,
}

/// Fits each of several priors to the same data, and puts them in the order of their evidence, largest first.
///
/// The evidence at fitted parameters favours kernels with many of them a little: a difference of one or two
/// says nothing, and the BIC is there for comparison.
///
/// # Errors
/// As [`Regression::new`] and [`fit`]; options that name parameters have to fit all of the priors.
pub fn compare(
    priors: &[GaussianProcess],
    noise: &Noise,
    inputs: &DMatrix<f64>,
    outputs: &[f64],
    options: &HyperparameterOptions,
) -> Result<Vec<ComparedModel>, Error> {
    let mut compared = Vec::with_capacity(priors.len());
    for (place, prior) in priors.iter().enumerate() {
        let problem = Regression::new(prior.clone(), noise.clone(), inputs, outputs)?;
        let fitted = fit(&problem, options, &mut Silent)?;
        let price = fitted.report.parameters.len() as f64 * (outputs.len() as f64).ln();
        let bic = price - 2.0 * fitted.report.ln_evidence;
        compared.push(ComparedModel { place, fitted, bic, behind: 0.0 });
    }
    compared.sort_by(|a, b| b.fitted.report.ln_evidence.total_cmp(&a.fitted.report.ln_evidence));
    let best = compared.first().map_or(0.0, |best| best.fitted.report.ln_evidence);
    for comparison in &mut compared {
        comparison.behind = best - comparison.fitted.report.ln_evidence;
    }
    Ok(compared)
}
