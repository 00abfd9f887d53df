//! Means of numbers that are held as logarithms.

use posterior_math::check::ParamError;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::streaming::MeanVariance;

use super::{Estimate, at_least};

/// The logarithm of a mean over independent draws.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LnEstimate {
    /// ln of the mean.
    pub ln_value: f64,
    /// The standard deviation of ln of the mean, to first order: the relative standard error of the mean. +∞
    /// if all numbers are zero.
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub standard_error: f64,
    /// How many draws.
    pub draws: usize,
}

impl LnEstimate {
    /// The mean itself, which may underflow or overflow.
    pub fn exp(&self) -> Estimate {
        let value = self.ln_value.exp();
        let standard_error = if value == 0.0 { 0.0 } else { value * self.standard_error };
        Estimate { value, standard_error, draws: self.draws }
    }
}

/// ln of the mean of exp(terms), over independent draws.
///
/// The mean of the numbers has no bias; that of its logarithm is about minus half the square of the standard
/// error. A standard error near 1 or larger says that a few draws make the sum: it is then too small itself.
///
/// ```
/// use posterior_sampling::estimate::ln_mean_exp;
///
/// let estimate = ln_mean_exp(&[-1000.0, -1000.0 + 3.0_f64.ln()])?;
/// assert!((estimate.ln_value - (-1000.0 + 2.0_f64.ln())).abs() < 1e-12);
/// // 1 and 3 have the mean 2 with standard error 1.
/// assert!((estimate.standard_error - 0.5).abs() < 1e-12);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Errors
/// Fewer than two terms; a term that is NaN or +∞, with its place.
pub fn ln_mean_exp(terms: &[f64]) -> Result<LnEstimate, ParamError> {
    at_least(2, terms.len(), "ln_mean_exp", "terms", "at least 2")?;
    if let Some(i) = terms.iter().position(|&term| !(term < f64::INFINITY)) {
        return Err(ParamError::new("ln_mean_exp", "term", terms[i], "a number, or -∞").at(i));
    }
    let draws = terms.len();
    let ln_value = ln_sum_exp(terms) - (draws as f64).ln();
    if ln_value == f64::NEG_INFINITY {
        return Ok(LnEstimate { ln_value, standard_error: f64::INFINITY, draws });
    }
    let relative: MeanVariance = terms.iter().map(|term| (term - ln_value).exp()).collect();
    let standard_error = (relative.sample_variance() / draws as f64).sqrt();
    Ok(LnEstimate { ln_value, standard_error, draws })
}

/// ln p(y) for each point y: the mean of p(y given x) over independent draws x.
///
/// Given draws of a posterior it is the predictive density; given draws of a prior, the evidence. As a
/// conditional mean it has a smaller error than any histogram or kernel estimate from the same draws.
///
/// # Errors
/// Fewer than two draws; a log-density that is NaN or +∞, with the number of its draw.
pub fn marginal_density<X, Y>(
    points: &[Y],
    draws: &[X],
    mut ln_density: impl FnMut(&Y, &X) -> f64,
) -> Result<Vec<LnEstimate>, ParamError> {
    let mut terms = vec![0.0; draws.len()];
    let mut at = |point: &Y| {
        for (term, draw) in terms.iter_mut().zip(draws) {
            *term = ln_density(point, draw);
        }
        ln_mean_exp(&terms)
    };
    points.iter().map(&mut at).collect()
}
