//! Weights of draws, and what they say.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::softmax_in_place;

use crate::Error;
use crate::estimate::{Estimate, LnEstimate, ln_mean_exp};

/// Weights of independent draws, by their logarithms, which need no constant.
///
/// ```
/// use posterior_sampling::importance::ImportanceWeights;
///
/// let weights = ImportanceWeights::from_ln(vec![0.0, 3_f64.ln()])?;
/// assert!((weights.normalised()[1] - 0.75).abs() < 1e-15);
/// assert!((weights.ess() - 1.6).abs() < 1e-15); // 1 / (1/16 + 9/16)
/// assert!((weights.ln_mean()?.ln_value - 2_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ImportanceWeights {
    ln: Vec<f64>,
    normalised: Vec<f64>,
    ln_sum: f64,
}

impl ImportanceWeights {
    /// From ln wₛ; -∞ is a weight of zero.
    ///
    /// # Errors
    /// A logarithm that is NaN or +∞; [`Error::NoWeight`] if no weight is positive.
    pub fn from_ln(ln: Vec<f64>) -> Result<Self, Error> {
        for (index, &value) in ln.iter().enumerate() {
            let possible = value < f64::INFINITY;
            check::require(possible, "Weights", "ln weight", value, "below +∞, and not NaN")
                .map_err(|error| error.at(index))?;
        }
        let mut normalised = ln.clone();
        let ln_sum = softmax_in_place(&mut normalised);
        if ln_sum == f64::NEG_INFINITY {
            return Err(Error::NoWeight { draws: ln.len() });
        }
        Ok(Self { ln, normalised, ln_sum })
    }

    /// The number S of draws.
    pub const fn len(&self) -> usize {
        self.ln.len()
    }

    /// Whether there are none: never.
    pub const fn is_empty(&self) -> bool {
        self.ln.is_empty()
    }

    /// ln wₛ as they were given.
    pub fn ln(&self) -> &[f64] {
        &self.ln
    }

    /// w̃ₛ = wₛ / Σ w.
    pub fn normalised(&self) -> &[f64] {
        &self.normalised
    }

    /// ln Σ w.
    pub const fn ln_sum(&self) -> f64 {
        self.ln_sum
    }

    /// The effective sample size 1 / Σ w̃², from 1 to S: how many draws of the target itself would tell as
    /// much.
    pub fn ess(&self) -> f64 {
        self.normalised.iter().map(|w| w * w).sum::<f64>().recip()
    }

    /// ln of the mean weight: ln Z, if draws of a normalised distribution were weighted by an unnormalised
    /// density; see [`ln_mean_exp`].
    ///
    /// # Errors
    /// Fewer than two draws.
    pub fn ln_mean(&self) -> Result<LnEstimate, Error> {
        Ok(ln_mean_exp(&self.ln)?)
    }

    /// The self-normalised mean Σ w̃ f and its standard error √(Σ w̃² (f - mean)²), that of the delta method;
    /// NaN of a single draw.
    ///
    /// For draws and weights whose constants are not known. Its bias falls like 1 / S. Values of draws
    /// without weight do not count.
    ///
    /// # Errors
    /// Other than one value for each draw; a value that is not finite where the weight is not zero.
    pub fn mean(&self, values: &[f64]) -> Result<Estimate, Error> {
        self.check(values)?;
        let mean: f64 = self.weighted(values).map(|(w, f)| w * f).sum();
        let squares: f64 = self.weighted(values).map(|(w, f)| (w * (f - mean)).powi(2)).sum();
        let error = if self.len() > 1 { squares.sqrt() } else { f64::NAN };
        Ok(estimate(mean, error, self.len()))
    }

    /// The plain mean (1 / S) Σ w f, for weights whose constant is known: unbiased.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn plain_mean(&self, values: &[f64]) -> Result<Estimate, Error> {
        self.check(values)?;
        let count = self.len() as f64;
        // In units of the mean weight: w / mean = S w̃.
        let mean: f64 = self.weighted(values).map(|(w, f)| w * f).sum();
        let squares: f64 = self.weighted(values).map(|(w, f)| (count * w * f - mean).powi(2)).sum();
        let zeros = self.normalised.iter().filter(|&&w| w == 0.0).count() as f64;
        let error = ((squares + zeros * mean * mean) / (count * (count - 1.0))).sqrt();
        let unit = (self.ln_sum - count.ln()).exp();
        Ok(estimate(unit * mean, unit * error, self.len()))
    }

    fn check(&self, values: &[f64]) -> Result<(), Error> {
        check::dimension("values of draws", self.len(), values.len())?;
        for (index, (&value, &w)) in values.iter().zip(&self.normalised).enumerate() {
            if w > 0.0 {
                check::finite("Weights", "value", value).map_err(|error: ParamError| error.at(index))?;
            }
        }
        Ok(())
    }

    /// The positive weights and their values.
    fn weighted<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.normalised.iter().copied().zip(values.iter().copied()).filter(|&(w, _)| w > 0.0)
    }
}

pub(crate) const fn estimate(value: f64, standard_error: f64, draws: usize) -> Estimate {
    Estimate { value, standard_error, draws }
}
