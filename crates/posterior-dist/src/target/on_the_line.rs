//! Distributions on an interval as targets on the whole line.

use posterior_math::bijection::{AffineMap, Exp, Identity, IntervalMap, ScalarBijector};
use posterior_math::check::ParamError;

use super::{EvalError, GradTarget, Target, checked};
use crate::density::{Density, Univariate};
use crate::gradient::PointGradient;

/// The distribution of the free coordinate u of a random number x = f(u), where f depends on the support: ln
/// p(f(u)) + ln f'(u).
///
/// The real line stays; a half-line goes through the exponential, an interval through the logistic function.
///
/// ```
/// use posterior_dist::{Exponential, target::{OnTheLine, Target}};
///
/// let target = OnTheLine::new(Exponential::new(2.0)?)?;
/// // At u = 0, x = 1: ln 2 - 2, and the slope of the exponential is one.
/// assert!((target.ln_density(&[0.0])? - (2_f64.ln() - 2.0)).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OnTheLine<D> {
    distribution: D,
    bijection: Box<dyn ScalarBijector + Send + Sync>,
}

impl<D: Univariate + Density<Point = f64>> OnTheLine<D> {
    /// The distribution with the bijection of its support.
    ///
    /// # Errors
    /// If the support is an interval whose width is beyond the range of f64, or a single point.
    pub fn new(distribution: D) -> Result<Self, ParamError> {
        let (lower, upper) = (distribution.quantile(0.0), distribution.quantile(1.0));
        let bijection: Box<dyn ScalarBijector + Send + Sync> = match (lower.is_finite(), upper.is_finite()) {
            (true, true) => Box::new(IntervalMap::logit(lower, upper)?),
            (true, false) => Box::new((Exp, AffineMap::new(lower, 1.0)?)),
            (false, true) => Box::new((Exp, AffineMap::new(upper, -1.0)?)),
            (false, false) => Box::new(Identity),
        };
        Ok(Self { distribution, bijection })
    }

    /// The distribution.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// x at the free coordinate u.
    pub fn constrain(&self, free: f64) -> f64 {
        self.bijection.forward(free)
    }

    /// The free coordinate of x: infinite at an end of the support, NaN outside.
    pub fn unconstrain(&self, x: f64) -> f64 {
        self.bijection.inverse(x)
    }
}

impl<D: Univariate + Density<Point = f64>> Target for OnTheLine<D> {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        let x = self.bijection.forward(free[0]);
        checked(self.distribution.ln_pdf(&x) + self.bijection.ln_slope(free[0]))
    }
}

impl<D: Univariate + PointGradient<Point = f64>> GradTarget for OnTheLine<D> {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let u = free[0];
        let slope = self.distribution.point_gradient(&self.bijection.forward(u));
        gradient[0] = slope * self.bijection.slope(u) + self.bijection.ln_slope_derivative(u);
        self.ln_density(free)
    }
}
