//! Gaussian noise on the exponential of the function: for quantities that are positive.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};

use super::{Likelihood, require_count};
use crate::kernel::KernelParameter;

/// y ~ N(e^f, variance): the function is positive, its noise is not.
///
/// Not log-concave where y > 2 e^f.
///
/// ```
/// use posterior_gp::likelihood::{Likelihood, LogLinkGaussian};
///
/// // Near its mode the likelihood of y = 3 is that of a GaussianLikelihood observation of ln 3.
/// let likelihood = LogLinkGaussian::variance(0.09)?;
/// let (mean, variance) = likelihood.matched_gaussian(3.0).ok_or("a mode")?;
/// assert_eq!(mean, 3_f64.ln());
/// assert!((variance - 0.01).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogLinkGaussian {
    variance: f64,
}

impl LogLinkGaussian {
    /// Noise with this variance.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn variance(variance: f64) -> Result<Self, ParamError> {
        Ok(Self { variance: check::positive("LogLinkGaussian", "variance", variance)? })
    }
}

impl Likelihood for LogLinkGaussian {
    type Output = f64;

    fn check(&self, output: f64) -> Result<(), ParamError> {
        check::finite("LogLinkGaussian", "output", output)?;
        Ok(())
    }

    fn ln_density(&self, output: f64, latent: f64) -> f64 {
        let residual = output - latent.exp();
        -0.5 * (residual * (residual / self.variance) + (TAU * self.variance).ln())
    }

    fn derivatives(&self, output: f64, latent: f64) -> [f64; 3] {
        let mean = latent.exp();
        let factor = mean / self.variance;
        [factor * (output - mean), factor * (output - 2.0 * mean), factor * (output - 4.0 * mean)]
    }

    fn response(&self, latent: f64) -> f64 {
        latent.exp()
    }

    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        (mean + 0.5 * variance).exp()
    }

    fn peaks(&self, output: f64) -> Vec<f64> {
        if output > 0.0 { vec![output.ln()] } else { Vec::new() }
    }

    fn matched_gaussian(&self, output: f64) -> Option<(f64, f64)> {
        (output > 0.0).then(|| (output.ln(), self.variance / output / output))
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("log_link_gaussian.variance", self.variance)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("LogLinkGaussian", values, 1)?;
        Self::variance(values[0])
    }

    fn parameter_derivatives(&self, output: f64, latent: f64, parameter: usize) -> [f64; 3] {
        if parameter > 0 {
            return [0.0; 3];
        }
        let residual = output - latent.exp();
        let [first, second, _] = self.derivatives(output, latent);
        [0.5 * (residual * (residual / self.variance) - 1.0), -first, -second]
    }
}
