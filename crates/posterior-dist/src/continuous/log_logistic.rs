//! Log-logistic distribution on (0, ∞).

use std::f64::consts::PI;

use posterior_math::check::{self, ParamError};
use rand::Rng;
use rand::distr::Distribution;

use super::exponential_of::{self, ln_or_end};
use super::logistic::Logistic;
use crate::density::{Density, Univariate};
use crate::gradient::{ParameterGradient, PointGradient};
use crate::moments::{Entropy, Mode, Moments, Shape};
use crate::parametric::{Parametric, exactly};

/// The law of e^Y for a logistic Y: of a duration whose odds to have ended grow like a power of time.
///
/// # Density
/// p(x) = (β/α) (x/α)^(β-1) / (1 + (x/α)^β)²
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | β | `shape` | positive | `c` (SciPy, `fisk`), `beta` (Stan) |
/// | α | `scale`, the median | positive | `scale` (SciPy), `alpha` (Stan) |
///
/// # Moments
/// With b = π/β and mₖ = kb / sin kb, infinite for β ≤ k: mean α m₁, variance α² (m₂ - m₁²), skewness and excess kurtosis from m₁ to
/// m₄ (`None` where infinite); mode α ((β - 1)/(β + 1))^(1/β) for β > 1, 0 for β = 1, none below; entropy 2 + ln(α/β)
///
/// # Numerics
/// The variance has full precision; the skewness loses a factor β⁴ of relative error to cancellation, the excess kurtosis β⁴.
///
/// # Example
/// ```
/// use posterior_dist::{LogLogistic, Univariate};
///
/// let survival = LogLogistic::new(3.0, 2.0)?;
/// assert!((survival.sf(4.0) - 1.0 / 9.0).abs() < 1e-15);
/// assert_eq!(survival.to_string(), "log_logistic(3, 2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogLogistic {
    shape: f64,
    scale: f64,
    logarithm: Logistic,
}

impl LogLogistic {
    /// β and α.
    ///
    /// # Errors
    /// If one is not positive and finite, or the shape is so small that its reciprocal is not.
    pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("LogLogistic", "shape", shape)?;
        check::positive("LogLogistic", "scale", scale)?;
        let spread = shape.recip();
        check::require(spread < f64::INFINITY, "LogLogistic", "shape", shape, "at least 1e-308")?;
        Ok(Self { shape, scale, logarithm: Logistic::new(scale.ln(), spread)? })
    }

    /// β.
    pub const fn shape(&self) -> f64 {
        self.shape
    }

    /// α.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// The law of ln X.
    pub const fn logarithm(&self) -> Logistic {
        self.logarithm
    }

    /// E (X/α)ᵏ for β > k.
    fn raw_moment(&self, k: f64) -> f64 {
        let angle = k * (PI / self.shape);
        if angle == 0.0 { 1.0 } else { angle / angle.sin() }
    }

    /// Var (X/α) = b (sin b - b cos b) / (sin² b cos b), for β > 2.
    fn standard_variance(&self) -> f64 {
        let angle = PI / self.shape;
        let ratio = if angle == 0.0 { 1.0 } else { angle / angle.sin() };
        ratio * ratio * angle * (sine_excess(angle) / angle.cos())
    }
}

/// (sin b - b cos b) / b² for b from 0 to 2.
fn sine_excess(b: f64) -> f64 {
    if b > 1.0 {
        return (b.sin() - b * b.cos()) / (b * b);
    }
    // Σ (-1)^(k+1) 2k b^(2k-1) / (2k+1)! from k = 1: ten terms end below one part in 10^18 of the sum.
    let square = b * b;
    let (mut power, mut sum) = (b / 6.0, 0.0);
    for k in 1..=10_u32 {
        let k = f64::from(k);
        sum += 2.0 * k * power;
        power *= -square / ((2.0 * k + 2.0) * (2.0 * k + 3.0));
    }
    sum
}

impl Parametric for LogLogistic {
    const NAME: &'static str = "log_logistic";
    const PARAMETERS: &'static [&'static str] = &["shape", "scale"];

    fn parameters(&self) -> Vec<f64> {
        vec![self.shape, self.scale]
    }

    fn from_parameters(parameters: &[f64]) -> Result<Self, ParamError> {
        let [shape, scale] = exactly::<Self, 2>(parameters)?;
        Self::new(shape, scale)
    }
}

impl Density for LogLogistic {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        exponential_of::ln_pdf(&self.logarithm, x)
    }
}

impl PointGradient for LogLogistic {
    type Gradient = f64;

    fn point_gradient(&self, &x: &f64) -> f64 {
        exponential_of::point_gradient(&self.logarithm, x)
    }
}

impl ParameterGradient for LogLogistic {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if !(x > 0.0) {
            return [f64::NAN; 2];
        }
        let [by_location, by_spread] = self.logarithm.parameter_gradient(&x.ln());
        [-by_spread / self.shape / self.shape, by_location / self.scale]
    }
}

impl Univariate for LogLogistic {
    fn cdf(&self, x: f64) -> f64 {
        self.logarithm.cdf(ln_or_end(x))
    }

    fn sf(&self, x: f64) -> f64 {
        self.logarithm.sf(ln_or_end(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        self.logarithm.quantile(p).exp()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.logarithm.upper_quantile(q).exp()
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.logarithm.ln_cdf(ln_or_end(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.logarithm.ln_sf(ln_or_end(x))
    }
}

impl Moments for LogLogistic {
    type Mean = f64;
    type Variance = f64;

    fn mean(&self) -> Option<f64> {
        Some(if self.shape > 1.0 { self.scale * self.raw_moment(1.0) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let finite = self.shape > 2.0;
        Some(if finite { self.scale * self.scale * self.standard_variance() } else { f64::INFINITY })
    }
}

impl Shape for LogLogistic {
    fn skewness(&self) -> Option<f64> {
        if !(self.shape > 3.0) {
            return None;
        }
        let [first, second, third] = [1.0, 2.0, 3.0].map(|k| self.raw_moment(k));
        let central = third - 3.0 * second * first + 2.0 * first.powi(3);
        Some(central / self.standard_variance().powf(1.5))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        if !(self.shape > 4.0) {
            return None;
        }
        let [first, second, third, fourth] = [1.0, 2.0, 3.0, 4.0].map(|k| self.raw_moment(k));
        let central = fourth - 4.0 * third * first + 6.0 * second * first.powi(2) - 3.0 * first.powi(4);
        Some(central / self.standard_variance().powi(2) - 3.0)
    }
}

impl Entropy for LogLogistic {
    fn entropy(&self) -> f64 {
        2.0 + (self.scale.ln() - self.shape.ln())
    }
}

impl Mode for LogLogistic {
    fn mode(&self) -> Option<f64> {
        if self.shape < 1.0 {
            return None;
        }
        let spread = self.shape.recip();
        Some(self.scale * (((-spread).ln_1p() - spread.ln_1p()) / self.shape).exp())
    }
}

impl Distribution<f64> for LogLogistic {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.logarithm.sample(rng).exp()
    }
}
