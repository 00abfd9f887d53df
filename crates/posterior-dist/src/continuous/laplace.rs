//! Laplace distribution on the real line.

use std::f64::consts::LN_2;

use posterior_math::special::poisson_deviance;
use rand::RngExt;

use super::location_scale::{location_scale, symmetric};
use crate::prelude::*;

/// The distribution of the difference of two waiting times; its log-density is the absolute error.
///
/// # Density
/// p(x) = e^(-|z|) / (2b), z = (x - μ) / b
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location` | finite | `loc` (SciPy), `mu` (Stan) |
/// | b | `scale` | positive | `scale` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean μ, variance 2b², skewness 0, excess kurtosis 3, mode μ, entropy 1 + ln 2b
///
/// # Example
/// ```
/// use posterior_dist::{Laplace, Univariate};
///
/// let error = Laplace::new(0.0, 2.0)?;
/// assert!((error.sf(2.0) - 0.5 * (-1_f64).exp()).abs() < 1e-16);
/// assert_eq!(error.to_string(), "laplace(0, 2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laplace {
    location: f64,
    scale: f64,
    /// ln 2b
    ln_normalizer: f64,
}

location_scale!(Laplace, "laplace", ln_normalizer = |scale| scale.ln() + LN_2);

impl Density for Laplace {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        -self.standardized(x).abs() - self.ln_normalizer
    }
}

impl PointGradient for Laplace {
    /// -sign(z)/b; NaN at the kink.
    fn point_gradient(&self, &x: &f64) -> f64 {
        -sign(self.standardized(x)) / self.scale
    }
}

impl ParameterGradient for Laplace {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let z = self.standardized(x);
        [sign(z) / self.scale, (z.abs() - 1.0) / self.scale]
    }
}

/// The derivative of |z|.
fn sign(z: f64) -> f64 {
    if z == 0.0 { f64::NAN } else { z.signum() }
}

/// P(Z ≤ z).
fn below(z: f64) -> f64 {
    if z < 0.0 { 0.5 * z.exp() } else { 1.0 - 0.5 * (-z).exp() }
}

/// ln P(Z ≤ z).
fn ln_below(z: f64) -> f64 {
    if z < 0.0 { z - LN_2 } else { (-0.5 * (-z).exp()).ln_1p() }
}

/// The z with P(Z ≤ z) = p.
fn standard_quantile(p: f64) -> f64 {
    if p <= 0.5 { (2.0 * p).ln() } else { -(2.0 * (1.0 - p)).ln() }
}

symmetric!(Laplace, below, ln_below, standard_quantile, 3.0);

impl Moments for Laplace {
    fn mean(&self) -> Option<f64> {
        Some(self.location)
    }

    fn variance(&self) -> Option<f64> {
        Some(2.0 * self.scale * self.scale)
    }
}

impl Entropy for Laplace {
    fn entropy(&self) -> f64 {
        1.0 + self.ln_normalizer
    }
}

impl KlDivergence for Laplace {
    /// With the ratio r = b_p/b_q and the distance d = |μ_p - μ_q|: r - 1 - ln r + d/b_q + r (e^(-d/b_p) -
    /// 1).
    fn kl_divergence(&self, other: &Self) -> f64 {
        let ratio = self.scale / other.scale;
        let distance = (self.location - other.location).abs();
        let of_scales = if ratio < 0.1 {
            ratio - 1.0 - (self.scale.ln() - other.scale.ln())
        } else {
            poisson_deviance(1.0, ratio)
        };
        if of_scales == f64::INFINITY {
            return of_scales;
        }
        of_scales + distance / other.scale + ratio * (-distance / self.scale).exp_m1()
    }
}

impl Distribution<f64> for Laplace {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let distance: f64 = rand_distr::Exp1.sample(rng);
        self.location + self.scale * if rng.random::<bool>() { distance } else { -distance }
    }
}
