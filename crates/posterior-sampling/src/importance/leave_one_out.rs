//! How well a model predicts an observation that it has not seen, from draws that have seen all.

use std::cmp::Ordering;

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{LnSumExp, ln_sum_exp};
use posterior_math::streaming::MeanVariance;

use super::weights::estimate;
use super::{pareto_smoothed, reliable_shape};
use crate::Error;
use crate::estimate::Estimate;

/// Leave-one-out cross-validation by importance sampling.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PsisLeaveOneOut {
    /// Σ ln p(yᵢ | y₋ᵢ), the expected log predictive density; its error is that of other observations, √(n
    /// V), with the sample variance V of the terms (ArviZ divides by n, and not by n - 1).
    pub elpd: Estimate,
    /// ln p(yᵢ | y₋ᵢ).
    pub pointwise: Vec<f64>,
    /// The effective number of parameters: how much better the model knows what it has seen.
    pub effective_parameters: f64,
    /// k̂ of the weights of each observation.
    pub shapes: Vec<f64>,
    /// The largest k̂ that so many draws can bear.
    pub threshold: f64,
}

impl PsisLeaveOneOut {
    /// The observations whose k̂ is above the threshold: they change the posterior too much to be left out by
    /// weights. Fit without them, or doubt the model.
    pub fn unreliable(&self) -> Vec<usize> {
        (0..self.shapes.len()).filter(|&i| self.shapes[i] > self.threshold).collect()
    }

    /// The elpd of this model less that of another one of the same observations, with the error of the
    /// difference, which is smaller than that of either.
    ///
    /// # Errors
    /// Other numbers of observations.
    pub fn difference(&self, other: &Self) -> Result<Estimate, Error> {
        check::dimension("observations", self.pointwise.len(), other.pointwise.len())?;
        let terms: Vec<f64> = self.pointwise.iter().zip(&other.pointwise).map(|(a, b)| a - b).collect();
        Ok(sum_over_observations(&terms))
    }
}

/// Leave-one-out cross-validation from ln p(yᵢ | θₛ): a row for each draw of the posterior, a column for each
/// observation.
///
/// Draw s stands for the posterior without yᵢ with the weight 1 / p(yᵢ | θₛ); the weights are smoothed by
/// [`pareto_smoothed`], which takes the relative efficiency of the draws, ESS / S (1 for independent ones).
///
/// # Errors
/// A number that is NaN or infinite, by its draw and observation; an efficiency that is not positive and
/// finite.
///
/// # References
/// A. Vehtari, A. Gelman, J. Gabry, Practical Bayesian model evaluation using leave-one-out cross-validation
/// and WAIC, Statistics and Computing 27, 2017.
pub fn leave_one_out(
    ln_likelihood: &DMatrix<f64>,
    relative_efficiency: f64,
) -> Result<PsisLeaveOneOut, Error> {
    check_finite("leave_one_out", ln_likelihood)?;
    let mut pointwise = Vec::with_capacity(ln_likelihood.ncols());
    let mut shapes = Vec::with_capacity(ln_likelihood.ncols());
    let mut seen = 0.0;
    for column in ln_likelihood.column_iter() {
        let smoothed = pareto_smoothed(column.iter().map(|ln| -ln).collect(), relative_efficiency)?;
        let ln_weights = smoothed.weights.ln().iter();
        let sum: LnSumExp = ln_weights.zip(&column).map(|(w, ln)| w + ln).collect();
        pointwise.push(sum.value() - smoothed.weights.ln_sum());
        shapes.push(smoothed.shape);
        seen += ln_mean_density(column.as_slice());
    }
    let elpd = sum_over_observations(&pointwise);
    let threshold = reliable_shape(ln_likelihood.nrows());
    Ok(PsisLeaveOneOut { effective_parameters: seen - elpd.value, elpd, pointwise, shapes, threshold })
}

/// The probability integral transform of each observation by the predictions that have not seen it, p(ỹᵢ ≤ yᵢ
/// | y₋ᵢ): uniform if the model is calibrated. Draws that equal the observation count half, which keeps the
/// mean of counts at 1/2.
///
/// `predictive` has a draw ỹᵢ for each row and column of `ln_likelihood`; the weights of draws are those of
/// [`leave_one_out`], with whose k̂ they are to be judged.
///
/// # Errors
/// As [`leave_one_out`]; numbers of rows and columns that differ.
///
/// # References
/// J. Gabry, D. Simpson, A. Vehtari, M. Betancourt, A. Gelman, Visualization in Bayesian workflow, JRSS A
/// 182, 2019.
pub fn leave_one_out_pit(
    outcomes: &[f64],
    predictive: &DMatrix<f64>,
    ln_likelihood: &DMatrix<f64>,
    relative_efficiency: f64,
) -> Result<Vec<f64>, Error> {
    check_finite("leave_one_out_pit", ln_likelihood)?;
    check::dimension("outcomes", ln_likelihood.ncols(), outcomes.len())?;
    check::dimension("columns of predictive draws", ln_likelihood.ncols(), predictive.ncols())?;
    check::dimension("predictive draws", ln_likelihood.nrows(), predictive.nrows())?;
    let columns = ln_likelihood.column_iter().zip(predictive.column_iter());
    let transforms = columns.zip(outcomes).map(|((ln, drawn), &outcome)| {
        let smoothed = pareto_smoothed(ln.iter().map(|ln| -ln).collect(), relative_efficiency)?;
        let below = |drawn: f64| match drawn.total_cmp(&outcome) {
            Ordering::Less => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 0.0,
        };
        Ok(smoothed
            .weights
            .normalised()
            .iter()
            .zip(&drawn)
            .map(|(weight, &drawn)| weight * below(drawn))
            .sum())
    });
    transforms.collect()
}

/// ln of the mean density of an observation.
pub(super) fn ln_mean_density(ln_densities: &[f64]) -> f64 {
    ln_sum_exp(ln_densities) - (ln_densities.len() as f64).ln()
}

/// Σ aᵢ with the error √(n V).
pub(super) fn sum_over_observations(terms: &[f64]) -> Estimate {
    let spread: MeanVariance = terms.iter().copied().collect();
    let n = terms.len() as f64;
    estimate(terms.iter().sum(), (n * spread.sample_variance()).sqrt(), terms.len())
}

/// Draws and observations, and finite numbers only.
pub(super) fn check_finite(function: &'static str, ln_likelihood: &DMatrix<f64>) -> Result<(), Error> {
    let (draws, observations) = ln_likelihood.shape();
    check::require(draws > 1, function, "draws", draws as f64, "at least 2")?;
    check::require(observations > 0, function, "observations", observations as f64, "positive")?;
    for (observation, column) in ln_likelihood.column_iter().enumerate() {
        if let Some(draw) = column.iter().position(|ln| !ln.is_finite()) {
            return Err(Error::LnLikelihood { draw, observation, value: column[draw] });
        }
    }
    Ok(())
}
