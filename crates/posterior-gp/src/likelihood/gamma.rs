//! Positive numbers whose spread grows with their mean.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma, exp_excess, stirling_remainder};

use super::{Likelihood, LogConcave, require_count};
use crate::kernel::KernelParameter;

/// A positive number of Gamma's distribution with mean e^f and this shape: its standard deviation is e^f /
/// √shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GammaLikelihood {
    shape: f64,
}

impl GammaLikelihood {
    /// With this shape; 1 is the exponential distribution.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn shape(shape: f64) -> Result<Self, ParamError> {
        Ok(Self { shape: check::positive("Gamma", "shape", shape)? })
    }

    /// shape y e^-f
    fn scaled(self, output: f64, latent: f64) -> f64 {
        self.shape * (output.ln() - latent).exp()
    }
}

/// ln x - ψ(x), also where both are nearly equal.
fn ln_minus_digamma(x: f64) -> f64 {
    if x < 1e3 { x.ln() - digamma(x) } else { (0.5 + (1.0 / 12.0 - 1.0 / (120.0 * x * x)) / x) / x }
}

impl Likelihood for GammaLikelihood {
    type Output = f64;

    fn check(&self, output: f64) -> Result<(), ParamError> {
        check::positive("Gamma", "output", output)?;
        Ok(())
    }

    fn ln_density(&self, output: f64, latent: f64) -> f64 {
        let constant = 0.5 * (self.shape / TAU).ln() - stirling_remainder(self.shape);
        constant - self.shape * exp_excess(output.ln() - latent) - output.ln()
    }

    fn derivatives(&self, output: f64, latent: f64) -> [f64; 3] {
        let scaled = self.scaled(output, latent);
        [scaled - self.shape, -scaled, scaled]
    }

    fn response(&self, latent: f64) -> f64 {
        latent.exp()
    }

    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        (mean + 0.5 * variance).exp()
    }

    fn matched_gaussian(&self, output: f64) -> Option<(f64, f64)> {
        Some((output.ln(), self.shape.recip()))
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("gamma.shape", self.shape)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("Gamma", values, 1)?;
        Self::shape(values[0])
    }

    fn parameter_derivatives(&self, output: f64, latent: f64, parameter: usize) -> [f64; 3] {
        if parameter > 0 {
            return [0.0; 3];
        }
        let scaled = self.scaled(output, latent);
        let constant = self.shape * ln_minus_digamma(self.shape);
        let first = constant - self.shape * exp_excess(output.ln() - latent);
        [first, scaled - self.shape, -scaled]
    }
}

impl LogConcave for GammaLikelihood {}
