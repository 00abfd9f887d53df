//! Counts that vary more than Poisson's.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::{ln_logistic, logistic};
use posterior_math::special::{digamma_difference, ln_factorial, ln_rising_factorial};

use super::{Count, Likelihood, LogConcave, require_count};
use crate::kernel::KernelParameter;

/// A count with mean μ = e^f times its exposure and variance μ + μ² / size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NegativeBinomialLikelihood {
    size: f64,
}

impl NegativeBinomialLikelihood {
    /// With this size: for a large one it is Poisson's distribution.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn size(size: f64) -> Result<Self, ParamError> {
        Ok(Self { size: check::positive("NegativeBinomial", "size", size)? })
    }

    /// ln (μ / size).
    fn logit(self, output: Count, latent: f64) -> f64 {
        latent + output.exposure().ln() - self.size.ln()
    }
}

impl Likelihood for NegativeBinomialLikelihood {
    type Output = Count;

    /// Every [`Count`] can be.
    fn check(&self, _output: Count) -> Result<(), ParamError> {
        Ok(())
    }

    fn ln_density(&self, output: Count, latent: f64) -> f64 {
        let (count, logit) = (output.count() as f64, self.logit(output, latent));
        let ways = ln_rising_factorial(self.size, output.count()) - ln_factorial(output.count());
        ways + count * ln_logistic(logit) + self.size * ln_logistic(-logit)
    }

    fn derivatives(&self, output: Count, latent: f64) -> [f64; 3] {
        let (count, logit) = (output.count() as f64, self.logit(output, latent));
        let (p, q) = (logistic(logit), logistic(-logit));
        let second = -(count + self.size) * p * q;
        [count * q - self.size * p, second, second * (q - p)]
    }

    fn response(&self, latent: f64) -> f64 {
        latent.exp()
    }

    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        (mean + 0.5 * variance).exp()
    }

    fn matched_gaussian(&self, output: Count) -> Option<(f64, f64)> {
        let count = output.count() as f64;
        (count > 0.0).then(|| ((count / output.exposure()).ln(), count.recip() + self.size.recip()))
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("negative_binomial.size", self.size)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("NegativeBinomial", values, 1)?;
        Self::size(values[0])
    }

    fn parameter_derivatives(&self, output: Count, latent: f64, parameter: usize) -> [f64; 3] {
        if parameter > 0 {
            return [0.0; 3];
        }
        let (count, logit) = (output.count() as f64, self.logit(output, latent));
        let (p, q) = (logistic(logit), logistic(-logit));
        let [first, second, third] = self.derivatives(output, latent);
        let ways = digamma_difference(self.size, count);
        [
            self.size * (ways + ln_logistic(-logit)) - first,
            -self.size * p - second,
            -self.size * p * q - third,
        ]
    }
}

impl LogConcave for NegativeBinomialLikelihood {}
