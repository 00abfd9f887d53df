//! Log-logistic distribution on (0, ∞).

use std::f64::consts::PI;

use super::exponential_of::moments::{standardized, zeta};
use super::exponential_of::power_of_exponential;
use super::logistic::Logistic;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};

/// The distribution of e^Y for a logistic Y: of a duration whose odds to have ended grow like a power of
/// time.
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
/// With b = π/β and mₖ = kb / sin kb, infinite for β ≤ k: mean α m₁, variance α² (m₂ - m₁²), skewness and
/// excess kurtosis from m₁ to m₄ (`None` where infinite); mode α ((β - 1)/(β + 1))^(1/β) for β > 1, 0 for β =
/// 1, none below; entropy 2 + ln(α/β)
///
/// # Numerics
/// Variance, skewness and kurtosis are differences of moments that are nearly equal for large β: they are
/// power series in 1/β there.
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

power_of_exponential!(LogLogistic, "log_logistic", Logistic);

impl LogLogistic {
    /// The deviation over the mean, the skewness and the excess kurtosis, for β > 2, 3 and 4. A standard
    /// logistic variable has the cumulants 2 Γ(m) ζ(m) for even m, and 0 for odd.
    fn standardized(&self) -> [f64; 3] {
        let cumulant = |m: i32| if m % 2 == 0 { 2.0 * zeta(m) / f64::from(m) } else { 0.0 };
        standardized(self.shape.recip(), cumulant, |t| (PI * t / (PI * t).sin()).ln())
    }
}

impl Moments for LogLogistic {
    fn mean(&self) -> Option<f64> {
        if !(self.shape > 1.0) {
            return Some(f64::INFINITY);
        }
        let angle = PI / self.shape;
        Some(if angle == 0.0 { self.scale } else { self.scale * (angle / angle.sin()) })
    }

    fn variance(&self) -> Option<f64> {
        let [deviation, ..] = self.standardized();
        Some(if self.shape > 2.0 { (self.mean()? * deviation).powi(2) } else { f64::INFINITY })
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
