//! Gumbel distribution on the real line, of maxima.

use std::f64::consts::{EULER_GAMMA, PI};

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::gamma;

use super::location_scale::location_scale;
use crate::prelude::*;
use crate::scaled::located;

/// From here on the upper tail is e^(-z) in f64.
const EXPONENTIAL_FROM: f64 = 40.0;

/// The distribution of the largest of many values with tails that fall like an exponential.
///
/// # Density
/// p(x) = exp(-z - e^(-z)) / β, z = (x - μ) / β
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location`, the mode | finite | `loc` (SciPy, `gumbel_r`), `mu` (Stan) |
/// | β | `scale` | positive | `scale` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean μ + γβ with Euler's γ = 0.577…, variance π² β²/6, skewness 1.1395…, excess kurtosis 12/5, mode μ,
/// entropy ln β + γ + 1
///
/// # Example
/// ```
/// use posterior_dist::{Gumbel, Univariate};
///
/// let flood = Gumbel::new(3.0, 0.5)?;
/// assert!((flood.cdf(3.0) - (-1_f64).exp()).abs() < 1e-16);
/// assert_eq!(flood.to_string(), "gumbel(3, 0.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gumbel {
    location: f64,
    scale: f64,
    ln_scale: f64,
}

location_scale!(Gumbel, "gumbel", ln_scale = |scale| scale.ln());

impl Gumbel {
    /// Location 0 and scale 1.
    pub const STANDARD: Self = Self { location: 0.0, scale: 1.0, ln_scale: 0.0 };
}

impl Density for Gumbel {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        let w = (-z).exp();
        if w == f64::INFINITY { f64::NEG_INFINITY } else { -(z + w) - self.ln_scale }
    }
}

impl PointGradient for Gumbel {
    fn point_gradient(&self, &x: &f64) -> f64 {
        (-self.standardized(x)).exp_m1() / self.scale
    }
}

impl ParameterGradient for Gumbel {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let z = self.standardized(x);
        let rest = -(-z).exp_m1();
        [rest / self.scale, (z * rest - 1.0) / self.scale]
    }
}

impl Univariate for Gumbel {
    fn cdf(&self, x: f64) -> f64 {
        self.ln_cdf(x).exp()
    }

    fn sf(&self, x: f64) -> f64 {
        -self.ln_cdf(x).exp_m1()
    }

    fn quantile(&self, p: f64) -> f64 {
        located(self.location, -self.scale, (-p.ln()).ln())
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        located(self.location, -self.scale, (-(-q).ln_1p()).ln())
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        -(-self.standardized(x)).exp()
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        if z > EXPONENTIAL_FROM { -z } else { ln_1m_exp(-(-z).exp()) }
    }
}

impl Moments for Gumbel {
    fn mean(&self) -> Option<f64> {
        Some(self.location + EULER_GAMMA * self.scale)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.scale * self.scale * (PI * PI / 6.0))
    }
}

impl Shape for Gumbel {
    /// 12 √6 ζ(3) / π³.
    fn skewness(&self) -> Option<f64> {
        Some(1.139_547_099_404_648_7)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(2.4)
    }
}

impl Entropy for Gumbel {
    fn entropy(&self) -> f64 {
        self.ln_scale + (EULER_GAMMA + 1.0)
    }
}

impl Mode for Gumbel {
    fn mode(&self) -> Option<f64> {
        Some(self.location)
    }
}

impl KlDivergence for Gumbel {
    /// With the ratio r = β_p/β_q and the distance d = (μ_p - μ_q)/β_q: -ln r + γ (r - 1) + d - 1 + e^(-d)
    /// Γ(1 + r).
    fn kl_divergence(&self, other: &Self) -> f64 {
        let ratio = self.scale / other.scale;
        let distance = other.standardized(self.location);
        let growth = gamma(1.0 + ratio);
        // The parts of the sum that a shift moves, and those of the scales alone.
        let shift = distance + growth * (-distance).exp_m1();
        let divergence =
            shift + (growth - 1.0) + EULER_GAMMA * (ratio - 1.0) - (self.ln_scale - other.ln_scale);
        if divergence.is_nan() { f64::INFINITY } else { divergence }
    }
}

impl Distribution<f64> for Gumbel {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        self.location - self.scale * standard.ln()
    }
}
