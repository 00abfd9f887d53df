//! The real line to an interval with two ends.

use super::scalar::{RealScalarBijector, ScalarBijector};
use crate::autodiff::Real;
use crate::check::{self, ParamError};
use crate::log_space::logistic;

/// y = lower + (upper - lower) σ(rate x), with the logistic function σ.
///
/// [`logit`](Self::logit) has the rate 1; [`tanh`](Self::tanh) the rate 2, with which y = tanh x on (-1, 1).
/// Next to both ends and to the middle, y and x keep their relative digits as far as f64 has room for them.
///
/// ```
/// use posterior_math::bijection::{IntervalMap, ScalarBijector};
///
/// let probability = IntervalMap::logit(0.0, 1.0)?;
/// assert_eq!(probability.forward(0.0), 0.5);
/// assert!((IntervalMap::tanh(-1.0, 1.0)?.forward(0.3) - 0.3_f64.tanh()).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalMap {
    lower: f64,
    upper: f64,
    rate: f64,
}

impl IntervalMap {
    /// The map whose inverse is ln((y - lower) / (upper - y)).
    ///
    /// # Errors
    /// If an end is not finite, the width overflows, or `lower` is not below `upper`.
    pub fn logit(lower: f64, upper: f64) -> Result<Self, ParamError> {
        Self::with_rate(lower, upper, 1.0)
    }

    /// The map whose inverse is half of ln((y - lower) / (upper - y)).
    ///
    /// # Errors
    /// As [`logit`](Self::logit).
    pub fn tanh(lower: f64, upper: f64) -> Result<Self, ParamError> {
        Self::with_rate(lower, upper, 2.0)
    }

    fn with_rate(lower: f64, upper: f64, rate: f64) -> Result<Self, ParamError> {
        check::finite("Interval", "lower", lower)?;
        check::finite("Interval", "upper", upper)?;
        check::positive("Interval", "upper - lower", upper - lower)?;
        Ok(Self { lower, upper, rate })
    }

    fn width(&self) -> f64 {
        self.upper - self.lower
    }

    fn middle(&self) -> f64 {
        self.lower.midpoint(self.upper)
    }
}

impl ScalarBijector for IntervalMap {
    fn forward(&self, x: f64) -> f64 {
        self.forward_real(x)
    }

    fn inverse(&self, y: f64) -> f64 {
        let t = (y - self.middle()) / (0.5 * self.width());
        let u = if t.abs() < 0.5 { 2.0 * t.atanh() } else { (y - self.lower).ln() - (self.upper - y).ln() };
        u / self.rate
    }

    fn slope(&self, x: f64) -> f64 {
        let u = self.rate * x;
        self.rate * self.width() * logistic(u) * logistic(-u)
    }

    fn ln_slope(&self, x: f64) -> f64 {
        self.ln_slope_real(x)
    }

    fn ln_slope_derivative(&self, x: f64) -> f64 {
        -self.rate * (0.5 * self.rate * x).tanh()
    }
}

impl RealScalarBijector for IntervalMap {
    fn forward_real<R: Real>(&self, x: R) -> R {
        let u = x * self.rate;
        if u.value().abs() < 1.0 {
            (u * 0.5).tanh() * (0.5 * self.width()) + self.middle()
        } else if u.value() < 0.0 {
            u.logistic() * self.width() + self.lower
        } else {
            (-u).logistic() * -self.width() + self.upper
        }
    }

    fn ln_slope_real<R: Real>(&self, x: R) -> R {
        let u = x * self.rate;
        u.ln_logistic() + (self.rate * self.width()).ln() + (-u).ln_logistic()
    }
}
