//! Uniform distribution on an interval [low, high].

use rand::distr::StandardUniform;

use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::ln_ratio;

/// The distribution that prefers no point of an interval.
///
/// # Density
/// p(x) = 1 / (high - low)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `low` | finite | `min` (R), `loc` (SciPy), `alpha` (Stan) |
/// | b | `high` | above `low`, by a finite width | `max` (R), `loc + scale` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean (a + b)/2, variance (b - a)²/12, skewness 0, excess kurtosis -6/5, no mode, entropy ln(b - a)
///
/// # Example
/// ```
/// use posterior_dist::{Uniform, Univariate};
///
/// let angle = Uniform::new(0.0, 360.0)?;
/// assert_eq!(angle.cdf(90.0), 0.25);
/// assert_eq!(angle.to_string(), "uniform(0, 360)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    low: f64,
    high: f64,
}

impl Uniform {
    /// The ends of the interval.
    ///
    /// # Errors
    /// If they are not finite, `high` is not above `low`, or their distance is beyond f64.
    pub fn new(low: f64, high: f64) -> Result<Self, ParamError> {
        check::finite("Uniform", "low", low)?;
        let width = high - low;
        let proper = width > 0.0 && width < f64::INFINITY;
        check::require(proper, "Uniform", "high", high, "above low, by a finite width")?;
        Ok(Self { low, high })
    }

    /// high - low.
    pub const fn width(&self) -> f64 {
        self.high - self.low
    }

    fn is_inside(&self, x: f64) -> bool {
        self.low < x && x < self.high
    }
}

parametric! { Uniform, "uniform", new:
    /// The lower end.
    low: f64,
    /// The upper end.
    high: f64,
}

impl Density for Uniform {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < self.low || x > self.high {
            f64::NEG_INFINITY
        } else if x.is_nan() {
            x
        } else {
            -self.width().ln()
        }
    }
}

impl PointGradient for Uniform {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if self.is_inside(x) { 0.0 } else { f64::NAN }
    }
}

impl ParameterGradient for Uniform {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let slope = if self.is_inside(x) { self.width().recip() } else { f64::NAN };
        [slope, -slope]
    }
}

impl Univariate for Uniform {
    fn cdf(&self, x: f64) -> f64 {
        ((x - self.low) / self.width()).clamp(0.0, 1.0)
    }

    fn sf(&self, x: f64) -> f64 {
        ((self.high - x) / self.width()).clamp(0.0, 1.0)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0 - p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(1.0 - q, q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let upper = self.sf(x);
        if upper < 0.5 { (-upper).ln_1p() } else { self.ln_part(x - self.low) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { self.ln_part(self.high - x) }
    }
}

impl Uniform {
    /// The logarithm of the part of the interval that lies within a distance from one of its ends.
    fn ln_part(&self, distance: f64) -> f64 {
        if distance.is_nan() {
            distance
        } else if distance > 0.0 {
            ln_ratio(distance, self.width()).min(0.0)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The point with p below and q above it, from the nearer end.
    fn point(&self, p: f64, q: f64) -> f64 {
        if !(p >= 0.0 && q >= 0.0) {
            f64::NAN
        } else if p < q {
            self.low + p * self.width()
        } else {
            self.high - q * self.width()
        }
    }
}

impl Moments for Uniform {
    fn mean(&self) -> Option<f64> {
        Some(self.low.midpoint(self.high))
    }

    fn variance(&self) -> Option<f64> {
        Some(self.width() * (self.width() / 12.0))
    }
}

impl Shape for Uniform {
    fn skewness(&self) -> Option<f64> {
        Some(0.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(-1.2)
    }
}

impl Entropy for Uniform {
    fn entropy(&self) -> f64 {
        self.width().ln()
    }
}

impl Mode for Uniform {
    fn mode(&self) -> Option<f64> {
        None
    }
}

impl KlDivergence for Uniform {
    /// ln of the ratio of the widths; +∞ unless the interval of q holds that of p.
    fn kl_divergence(&self, other: &Self) -> f64 {
        if other.low <= self.low && self.high <= other.high {
            (((other.high - self.high) + (self.low - other.low)) / self.width()).ln_1p()
        } else {
            f64::INFINITY
        }
    }
}

impl Distribution<f64> for Uniform {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = StandardUniform.sample(rng);
        (self.low + self.width() * u).min(self.high)
    }
}
