//! Positive numbers whose spread grows with their mean.

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma, ln_gamma};

use super::{Likelihood, LogConcave, require_count};
use crate::kernel::Parameter;

/// A positive number of Gamma's law with mean e^f and this shape: its standard deviation is e^f / √shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gamma {
    shape: f64,
}

impl Gamma {
    /// With this shape; 1 is the exponential law.
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

impl Likelihood for Gamma {
    type Output = f64;

    fn check(&self, output: f64) -> Result<(), ParamError> {
        check::positive("Gamma", "output", output)?;
        Ok(())
    }

    fn ln_density(&self, output: f64, latent: f64) -> f64 {
        let ln_ratio = self.shape.ln() + output.ln() - latent;
        self.shape * ln_ratio - ln_ratio.exp() - ln_gamma(self.shape) - output.ln()
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

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("gamma.shape", self.shape)]
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
        let ln_ratio = self.shape.ln() + output.ln() - latent;
        [self.shape * (ln_ratio + 1.0 - digamma(self.shape)) - scaled, scaled - self.shape, -scaled]
    }
}

impl LogConcave for Gamma {}
