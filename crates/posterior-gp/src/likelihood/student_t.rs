//! Real numbers with outliers.

use std::f64::consts::PI;

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma_difference, ln_pochhammer};

use super::{Likelihood, require_count};
use crate::kernel::KernelParameter;

/// y = f + scale · t, with t of Student's t distribution: an outlier pulls less the farther it is.
///
/// Not log-concave: residuals beyond scale · √degrees have negative precision, and the posterior may have
/// several modes. Laplace's method finds one of them.
///
/// J. Vanhatalo, P. Jylänki, A. Vehtari, Gaussian process regression with Student-t likelihood, NIPS 2009.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentTLikelihood {
    degrees: f64,
    scale: f64,
}

impl StudentTLikelihood {
    /// With so many degrees of freedom, and this scale in the units of y.
    ///
    /// # Errors
    /// Unless both are positive and finite.
    pub fn new(degrees: f64, scale: f64) -> Result<Self, ParamError> {
        Ok(Self {
            degrees: check::positive("StudentT", "degrees", degrees)?,
            scale: check::positive("StudentT", "scale", scale)?,
        })
    }

    /// The residual t, and u = 1 / (1 + t²), in the unit s = scale · √degrees.
    fn standardize(&self, output: f64, latent: f64) -> (f64, f64, f64) {
        let unit = self.scale * self.degrees.sqrt();
        let t = (output - latent) / unit;
        (t, (1.0 + t * t).recip(), unit)
    }
}

/// ln (1 + t²), also where t² overflows.
fn ln_1p_square(t: f64) -> f64 {
    if t.abs() < 1e100 { (t * t).ln_1p() } else { 2.0 * t.abs().ln() }
}

impl Likelihood for StudentTLikelihood {
    type Output = f64;

    fn check(&self, output: f64) -> Result<(), ParamError> {
        check::finite("StudentT", "output", output)?;
        Ok(())
    }

    /// To the poles of the density, at y ± i scale √degrees.
    fn analytic_strip(&self) -> f64 {
        self.scale * self.degrees.sqrt()
    }

    fn ln_density(&self, output: f64, latent: f64) -> f64 {
        let (t, ..) = self.standardize(output, latent);
        let constant = ln_pochhammer(0.5 * self.degrees, 0.5) - 0.5 * (PI * self.degrees).ln();
        constant - self.scale.ln() - 0.5 * (self.degrees + 1.0) * ln_1p_square(t)
    }

    fn derivatives(&self, output: f64, latent: f64) -> [f64; 3] {
        let (t, u, unit) = self.standardize(output, latent);
        let first = (self.degrees + 1.0) / unit;
        [
            first * t * u,
            -first / unit * u * (2.0 * u - 1.0),
            2.0 * first / unit / unit * (t * u) * u * (1.0 - 4.0 * u),
        ]
    }

    fn response(&self, latent: f64) -> f64 {
        latent
    }

    fn mean_response(&self, mean: f64, _variance: f64) -> f64 {
        mean
    }

    fn peaks(&self, output: f64) -> Vec<f64> {
        vec![output]
    }

    fn matched_gaussian(&self, output: f64) -> Option<(f64, f64)> {
        Some((output, self.scale * self.scale * self.degrees / (self.degrees + 1.0)))
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![
            KernelParameter::positive("student_t.degrees", self.degrees),
            KernelParameter::positive("student_t.scale", self.scale),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        require_count("StudentT", values, 2)?;
        Self::new(values[0], values[1])
    }

    fn parameter_derivatives(&self, output: f64, latent: f64, parameter: usize) -> [f64; 3] {
        let (t, u, unit) = self.standardize(output, latent);
        let more = self.degrees + 1.0;
        // Of ln s, by which both parameters act.
        let by_unit = [
            more * if t.abs() < 1.0 { t * t * u } else { 1.0 - u },
            -2.0 * more / unit * (t * u) * u,
            2.0 * more / unit / unit * u * u * (4.0 * u - 3.0),
        ];
        match parameter {
            0 => {
                let half = 0.5 * self.degrees;
                let constant = half * digamma_difference(half, 0.5) - 0.5;
                [
                    constant - half * ln_1p_square(t) + 0.5 * by_unit[0],
                    self.degrees / unit * t * u + 0.5 * by_unit[1],
                    self.degrees / unit / unit * u * (1.0 - 2.0 * u) + 0.5 * by_unit[2],
                ]
            }
            1 => [by_unit[0] - 1.0, by_unit[1], by_unit[2]],
            _ => [0.0; 3],
        }
    }
}
