//! Half-Cauchy distribution on [0, ∞).

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, LN_2};

use rand::distr::StandardUniform;

use super::cauchy::{cauchy_divergence, ln_1p_square_ratio};
use super::location_scale::scale_alone;
use crate::prelude::*;
use crate::scaled::ln_ratio;

/// The distribution of |X| for a Cauchy variable X about 0: a prior of a scale that hardly excludes large
/// ones.
///
/// # Density
/// p(x) = 2 / (π s (1 + (x/s)²))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | s | `scale`, the median | positive | `scale` (SciPy), `sigma` (Stan, truncated Cauchy) |
///
/// # Moments
/// mean and variance infinite, no skewness; mode 0, entropy ln(2πs)
///
/// # Example
/// ```
/// use posterior_dist::{HalfCauchy, Univariate};
///
/// let scale = HalfCauchy::new(5.0)?;
/// assert!((scale.cdf(5.0) - 0.5).abs() < 1e-15);
/// assert_eq!(scale.to_string(), "half_cauchy(5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfCauchy {
    scale: f64,
    /// ln(πs/2)
    ln_normalizer: f64,
}

scale_alone!(HalfCauchy, "half_cauchy", ln_normalizer = |scale| scale.ln() + FRAC_PI_2.ln());

impl Density for HalfCauchy {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 { f64::NEG_INFINITY } else { -ln_1p_square_ratio(x, self.scale) - self.ln_normalizer }
    }
}

impl PointGradient for HalfCauchy {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let z = x / self.scale;
        if x > 0.0 { -2.0 / (z + z.recip()) / self.scale } else { f64::NAN }
    }
}

impl ParameterGradient for HalfCauchy {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 1] {
        let z = x / self.scale;
        let proportion = (1.0 + (z * z).recip()).recip();
        [if x >= 0.0 { (2.0 * proportion - 1.0) / self.scale } else { f64::NAN }]
    }
}

impl Univariate for HalfCauchy {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { FRAC_2_PI * x.atan2(self.scale) }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { FRAC_2_PI * self.scale.atan2(x) }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0 - p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(1.0 - q, q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x > self.scale {
            (-self.sf(x)).ln_1p()
        } else if x > 0.0 && x / self.scale < f64::MIN_POSITIVE {
            FRAC_2_PI.ln() + ln_ratio(x, self.scale)
        } else {
            self.cdf(x).ln()
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= self.scale {
            (-self.cdf(x)).ln_1p()
        } else if x < f64::INFINITY && self.scale / x < f64::MIN_POSITIVE {
            FRAC_2_PI.ln() + ln_ratio(self.scale, x)
        } else {
            self.sf(x).ln()
        }
    }
}

impl HalfCauchy {
    /// s tan(πp/2), from the smaller one of p and q = 1 - p.
    fn point(&self, p: f64, q: f64) -> f64 {
        if !(p >= 0.0 && q >= 0.0) {
            f64::NAN
        } else if p < q {
            self.scale * (FRAC_PI_2 * p.abs()).tan()
        } else {
            // Divided by -0 it would be -∞.
            self.scale / (FRAC_PI_2 * q.abs()).tan()
        }
    }
}

impl Moments for HalfCauchy {
    fn mean(&self) -> Option<f64> {
        Some(f64::INFINITY)
    }

    fn variance(&self) -> Option<f64> {
        Some(f64::INFINITY)
    }
}

impl Shape for HalfCauchy {
    fn skewness(&self) -> Option<f64> {
        None
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        None
    }
}

impl Entropy for HalfCauchy {
    fn entropy(&self) -> f64 {
        2.0 * LN_2 + self.ln_normalizer
    }
}

impl Mode for HalfCauchy {
    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl KlDivergence for HalfCauchy {
    /// ln((s_p + s_q)² / (4 s_p s_q)), which is symmetric.
    fn kl_divergence(&self, other: &Self) -> f64 {
        cauchy_divergence(self.scale, other.scale, 0.0)
    }
}

impl Distribution<f64> for HalfCauchy {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = StandardUniform.sample(rng);
        self.scale * (FRAC_PI_2 * u).tan()
    }
}
