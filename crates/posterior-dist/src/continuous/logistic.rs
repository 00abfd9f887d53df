//! Logistic distribution on the real line.

use std::f64::consts::PI;

use posterior_math::log_space::{ln_logistic, logistic, logit};
use rand::distr::Open01;

use super::location_scale::{location_scale, symmetric};
use crate::prelude::*;

/// The distribution whose distribution function is the logistic function: of the threshold that logistic
/// regression assumes.
///
/// # Density
/// p(x) = e^(-z) / (s (1 + e^(-z))²), z = (x - μ) / s
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location` | finite | `location` (R), `loc` (SciPy), `mu` (Stan) |
/// | s | `scale` | positive | `scale` (R, SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean μ, variance π² s²/3, skewness 0, excess kurtosis 6/5, mode μ, entropy 2 + ln s
///
/// # Example
/// ```
/// use posterior_dist::{Logistic, Univariate};
///
/// let threshold = Logistic::new(1.0, 2.0)?;
/// assert_eq!(threshold.cdf(1.0), 0.5);
/// assert_eq!(threshold.to_string(), "logistic(1, 2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Logistic {
    location: f64,
    scale: f64,
    ln_scale: f64,
}

location_scale!(Logistic, "logistic", ln_scale = |scale| scale.ln());

impl Logistic {
    /// Location 0 and scale 1.
    pub const STANDARD: Self = Self { location: 0.0, scale: 1.0, ln_scale: 0.0 };
}

impl Density for Logistic {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        standard_ln_pdf(self.standardized(x)) - self.ln_scale
    }
}

/// -|z| - 2 ln(1 + e^(-|z|)).
fn standard_ln_pdf(z: f64) -> f64 {
    let distance = z.abs();
    -distance - 2.0 * (-distance).exp().ln_1p()
}

impl PointGradient for Logistic {
    fn point_gradient(&self, &x: &f64) -> f64 {
        -(0.5 * self.standardized(x)).tanh() / self.scale
    }
}

impl ParameterGradient for Logistic {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let z = self.standardized(x);
        let slope = (0.5 * z).tanh();
        [slope / self.scale, (z * slope - 1.0) / self.scale]
    }
}

symmetric!(Logistic, logistic, ln_logistic, logit, 1.2);

impl Moments for Logistic {
    fn mean(&self) -> Option<f64> {
        Some(self.location)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.scale * self.scale * (PI * PI / 3.0))
    }
}

impl Entropy for Logistic {
    fn entropy(&self) -> f64 {
        2.0 + self.ln_scale
    }
}

impl Distribution<f64> for Logistic {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = Open01.sample(rng);
        self.location + self.scale * (u / (1.0 - u)).ln()
    }
}
