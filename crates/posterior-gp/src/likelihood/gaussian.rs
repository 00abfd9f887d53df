//! Real numbers with Gaussian noise.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};

use super::{Likelihood, LogConcave, Tilted, require_count};
use crate::kernel::KernelParameter;

/// y ~ N(f, variance): Laplace's method and expectation propagation are then exact, and agree with
/// [`regression`](crate::regression), which is the faster way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianLikelihood {
    variance: f64,
}

impl GaussianLikelihood {
    /// Noise with this variance.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn variance(variance: f64) -> Result<Self, ParamError> {
        Ok(Self { variance: check::positive("Gaussian", "variance", variance)? })
    }
}

impl Likelihood for GaussianLikelihood {
    type Output = f64;

    fn check(&self, output: f64) -> Result<(), ParamError> {
        check::finite("Gaussian", "output", output)?;
        Ok(())
    }

    fn ln_density(&self, output: f64, latent: f64) -> f64 {
        let residual = output - latent;
        -0.5 * (residual * (residual / self.variance) + (TAU * self.variance).ln())
    }

    fn derivatives(&self, output: f64, latent: f64) -> [f64; 3] {
        [(output - latent) / self.variance, -self.variance.recip(), 0.0]
    }

    fn response(&self, latent: f64) -> f64 {
        latent
    }

    fn mean_response(&self, mean: f64, _variance: f64) -> f64 {
        mean
    }

    fn tilted(&self, output: f64, mean: f64, variance: f64) -> Tilted {
        let total = variance + self.variance;
        let residual = output - mean;
        Tilted {
            ln_mass: -0.5 * (residual * (residual / total) + (TAU * total).ln()),
            mean: mean + variance / total * residual,
            variance: variance * (self.variance / total),
        }
    }

    fn matched_gaussian(&self, output: f64) -> Option<(f64, f64)> {
        Some((output, self.variance))
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("gaussian.variance", self.variance)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("Gaussian", values, 1)?;
        Self::variance(values[0])
    }

    fn parameter_derivatives(&self, output: f64, latent: f64, parameter: usize) -> [f64; 3] {
        if parameter > 0 {
            return [0.0; 3];
        }
        let residual = output - latent;
        let slope = residual / self.variance;
        [0.5 * (residual * slope - 1.0), -slope, self.variance.recip()]
    }
}

impl LogConcave for GaussianLikelihood {}
