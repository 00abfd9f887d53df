//! Cauchy distribution on the real line.

use std::f64::consts::PI;

use rand::distr::StandardUniform;

use super::location_scale::location_scale;
use crate::prelude::*;
use crate::scaled::{apart, ln_ratio, located};

/// From here on the square of z would overflow.
const HUGE: f64 = 1e150;

/// The distribution of a ratio of two centred normal variables: it has no mean, and the mean of many draws is
/// as uncertain as one.
///
/// # Density
/// p(x) = 1 / (π γ (1 + z²)), z = (x - x₀) / γ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | x₀ | `location`, the median | finite | `location` (R), `loc` (SciPy), `mu` (Stan) |
/// | γ | `scale`, half of the interquartile range | positive | `scale` (R, SciPy), `sigma` (Stan) |
///
/// # Moments
/// none; mode x₀, entropy ln(4πγ)
///
/// # Example
/// ```
/// use posterior_dist::{Cauchy, Moments, Univariate};
///
/// let ratio = Cauchy::new(0.0, 1.0)?;
/// assert_eq!(ratio.mean(), None);
/// assert!((ratio.quantile(0.75) - 1.0).abs() < 1e-15);
/// assert_eq!(ratio.to_string(), "cauchy(0, 1)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// F. Chyzak, F. Nielsen, A closed-form formula for the Kullback-Leibler divergence between Cauchy
/// distributions, 2019.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cauchy {
    location: f64,
    scale: f64,
    /// ln(πγ)
    ln_normalizer: f64,
}

location_scale!(Cauchy, "cauchy", ln_normalizer = |scale| scale.ln() + PI.ln());

impl Cauchy {
    /// The logarithm of the `tail` beyond x, also where f64 cannot hold the tail.
    fn ln_tail(&self, x: f64, tail: f64) -> f64 {
        if tail >= f64::MIN_POSITIVE || !x.is_finite() {
            return tail.ln();
        }
        let (distance, scale) = apart(x, self.location, self.scale);
        ln_ratio(scale, distance.abs()) - PI.ln()
    }

    /// The quantile at p for `side` = 1, the upper quantile for -1.
    fn point(&self, p: f64, side: f64) -> f64 {
        if !(0.0..=1.0).contains(&p) {
            return f64::NAN;
        }
        let z = if p < 0.25 {
            -(PI * p.abs()).tan().recip()
        } else if p <= 0.75 {
            (PI * (p - 0.5)).tan()
        } else {
            (PI * (1.0 - p)).tan().recip()
        };
        if z.is_finite() || p >= 0.25 {
            located(self.location, side * self.scale, z)
        } else {
            self.location - side * (self.scale / (PI * p.abs()).tan())
        }
    }
}

/// ln(1 + (x/s)²), also where the quotient is beyond f64.
pub(super) fn ln_1p_square_ratio(x: f64, s: f64) -> f64 {
    let z = x / s;
    if z.is_infinite() && x.is_finite() { 2.0 * ln_ratio(x.abs(), s) } else { ln_1p_square(z) }
}

/// ln(1 + z²).
pub(crate) fn ln_1p_square(z: f64) -> f64 {
    if z.abs() < HUGE { (z * z).ln_1p() } else { 2.0 * z.abs().ln() }
}

/// The divergence between Cauchy distributions with these scales, so far apart.
pub(super) fn cauchy_divergence(scale: f64, other: f64, distance: f64) -> f64 {
    let root = |x: f64| x / scale.sqrt() / other.sqrt();
    ln_1p_square(0.5 * root(scale - other).hypot(root(distance)))
}

impl Density for Cauchy {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let (distance, scale) = apart(x, self.location, self.scale);
        -ln_1p_square_ratio(distance, scale) - self.ln_normalizer
    }
}

impl PointGradient for Cauchy {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        -2.0 / (z + z.recip()) / self.scale
    }
}

impl ParameterGradient for Cauchy {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let z = self.standardized(x);
        // z² / (1 + z²)
        let proportion = (1.0 + (z * z).recip()).recip();
        [2.0 / (z + z.recip()) / self.scale, (2.0 * proportion - 1.0) / self.scale]
    }
}

impl Univariate for Cauchy {
    fn cdf(&self, x: f64) -> f64 {
        let (distance, scale) = apart(x, self.location, self.scale);
        scale.atan2(-distance) / PI
    }

    fn sf(&self, x: f64) -> f64 {
        let (distance, scale) = apart(x, self.location, self.scale);
        scale.atan2(distance) / PI
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(q, -1.0)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x > self.location { (-self.sf(x)).ln_1p() } else { self.ln_tail(x, self.cdf(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x < self.location { (-self.cdf(x)).ln_1p() } else { self.ln_tail(x, self.sf(x)) }
    }
}

impl Moments for Cauchy {
    fn mean(&self) -> Option<f64> {
        None
    }

    fn variance(&self) -> Option<f64> {
        None
    }
}

impl Shape for Cauchy {
    fn skewness(&self) -> Option<f64> {
        None
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        None
    }
}

impl Entropy for Cauchy {
    fn entropy(&self) -> f64 {
        2.0 * std::f64::consts::LN_2 + self.ln_normalizer
    }
}

impl Mode for Cauchy {
    fn mode(&self) -> Option<f64> {
        Some(self.location)
    }
}

impl KlDivergence for Cauchy {
    /// ln(((γ_p + γ_q)² + (x_p - x_q)²) / (4 γ_p γ_q)), which is symmetric.
    fn kl_divergence(&self, other: &Self) -> f64 {
        cauchy_divergence(self.scale, other.scale, self.location - other.location)
    }
}

impl Distribution<f64> for Cauchy {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = StandardUniform.sample(rng);
        self.location + self.scale * (PI * (u - 0.5)).tan()
    }
}
