//! Maps of one number, and of the numbers of a vector one by one.

use std::fmt::Debug;

use super::bijector::{Bijector, RealBijector, check_lengths, times};
use crate::autodiff::Real;
use crate::check::{self, ParamError};
use crate::log_space::{ln_1m_exp, ln_1p_exp, ln_logistic, logistic};

/// A smooth one-to-one map of the real line to an interval.
///
/// A pair of maps is a map: the first, then the second.
///
/// ```
/// use posterior_math::bijection::{AffineMap, Exp, ScalarBijector};
///
/// let above_two = (Exp, AffineMap::new(2.0, 1.0)?);
/// assert_eq!(above_two.forward(0.0), 3.0);
/// assert_eq!(above_two.inverse(3.0), 0.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub trait ScalarBijector: Debug {
    /// Image y = f(x).
    fn forward(&self, x: f64) -> f64;

    /// x with f(x) = y: infinite on the boundary, NaN outside.
    fn inverse(&self, y: f64) -> f64;

    /// Derivative f'(x).
    fn slope(&self, x: f64) -> f64;

    /// ln |f'(x)|, where f'(x) itself may underflow or overflow.
    fn ln_slope(&self, x: f64) -> f64;

    /// The derivative of ln |f'(x)|.
    fn ln_slope_derivative(&self, x: f64) -> f64;
}

/// A [`ScalarBijector`] that is written for any kind of number, so that derivatives go through it.
pub trait RealScalarBijector: ScalarBijector {
    /// Image y = f(x).
    fn forward_real<R: Real>(&self, x: R) -> R;

    /// ln |f'(x)|.
    fn ln_slope_real<R: Real>(&self, x: R) -> R;
}

/// Identity map y = x.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Identity;

impl ScalarBijector for Identity {
    fn forward(&self, x: f64) -> f64 {
        x
    }

    fn inverse(&self, y: f64) -> f64 {
        y
    }

    fn slope(&self, _: f64) -> f64 {
        1.0
    }

    fn ln_slope(&self, _: f64) -> f64 {
        0.0
    }

    fn ln_slope_derivative(&self, _: f64) -> f64 {
        0.0
    }
}

impl RealScalarBijector for Identity {
    fn forward_real<R: Real>(&self, x: R) -> R {
        x
    }

    fn ln_slope_real<R: Real>(&self, _: R) -> R {
        R::from(0.0)
    }
}

/// y = shift + scale x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AffineMap {
    shift: f64,
    scale: f64,
}

impl AffineMap {
    /// The map with these coefficients.
    ///
    /// # Errors
    /// If one is not finite, or the scale is 0.
    pub fn new(shift: f64, scale: f64) -> Result<Self, ParamError> {
        check::finite("Affine", "shift", shift)?;
        check::require(scale.is_finite() && scale != 0.0, "Affine", "scale", scale, "finite and not zero")?;
        Ok(Self { shift, scale })
    }
}

impl ScalarBijector for AffineMap {
    fn forward(&self, x: f64) -> f64 {
        self.shift + self.scale * x
    }

    fn inverse(&self, y: f64) -> f64 {
        (y - self.shift) / self.scale
    }

    fn slope(&self, _: f64) -> f64 {
        self.scale
    }

    fn ln_slope(&self, _: f64) -> f64 {
        self.scale.abs().ln()
    }

    fn ln_slope_derivative(&self, _: f64) -> f64 {
        0.0
    }
}

impl RealScalarBijector for AffineMap {
    fn forward_real<R: Real>(&self, x: R) -> R {
        x * self.scale + self.shift
    }

    fn ln_slope_real<R: Real>(&self, _: R) -> R {
        R::from(self.scale.abs().ln())
    }
}

/// y = e^x > 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exp;

impl ScalarBijector for Exp {
    fn forward(&self, x: f64) -> f64 {
        x.exp()
    }

    fn inverse(&self, y: f64) -> f64 {
        y.ln()
    }

    fn slope(&self, x: f64) -> f64 {
        x.exp()
    }

    fn ln_slope(&self, x: f64) -> f64 {
        x
    }

    fn ln_slope_derivative(&self, _: f64) -> f64 {
        1.0
    }
}

impl RealScalarBijector for Exp {
    fn forward_real<R: Real>(&self, x: R) -> R {
        x.exp()
    }

    fn ln_slope_real<R: Real>(&self, x: R) -> R {
        x
    }
}

/// y = ln(1 + e^x) > 0, which is almost x for large x and does not overflow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Softplus;

impl ScalarBijector for Softplus {
    fn forward(&self, x: f64) -> f64 {
        ln_1p_exp(x)
    }

    fn inverse(&self, y: f64) -> f64 {
        if y == f64::INFINITY { y } else { y + ln_1m_exp(-y) }
    }

    fn slope(&self, x: f64) -> f64 {
        logistic(x)
    }

    fn ln_slope(&self, x: f64) -> f64 {
        ln_logistic(x)
    }

    fn ln_slope_derivative(&self, x: f64) -> f64 {
        logistic(-x)
    }
}

impl RealScalarBijector for Softplus {
    fn forward_real<R: Real>(&self, x: R) -> R {
        x.ln_1p_exp()
    }

    fn ln_slope_real<R: Real>(&self, x: R) -> R {
        x.ln_logistic()
    }
}

impl<A: ScalarBijector, B: ScalarBijector> ScalarBijector for (A, B) {
    fn forward(&self, x: f64) -> f64 {
        self.1.forward(self.0.forward(x))
    }

    fn inverse(&self, y: f64) -> f64 {
        self.0.inverse(self.1.inverse(y))
    }

    fn slope(&self, x: f64) -> f64 {
        times(self.1.slope(self.0.forward(x)), self.0.slope(x))
    }

    fn ln_slope(&self, x: f64) -> f64 {
        self.0.ln_slope(x) + self.1.ln_slope(self.0.forward(x))
    }

    fn ln_slope_derivative(&self, x: f64) -> f64 {
        let outer = self.1.ln_slope_derivative(self.0.forward(x));
        self.0.ln_slope_derivative(x) + times(outer, self.0.slope(x))
    }
}

impl<A: RealScalarBijector, B: RealScalarBijector> RealScalarBijector for (A, B) {
    fn forward_real<R: Real>(&self, x: R) -> R {
        self.1.forward_real(self.0.forward_real(x))
    }

    fn ln_slope_real<R: Real>(&self, x: R) -> R {
        self.0.ln_slope_real(x) + self.1.ln_slope_real(self.0.forward_real(x))
    }
}

/// The same map for each number of a vector.
///
/// ```
/// use posterior_math::bijection::{Bijector, Elementwise, Exp};
///
/// let positive = Elementwise::new(Exp, 2);
/// let mut point = [0.0; 2];
/// assert_eq!(positive.forward(&[0.0, 1.0], &mut point), 1.0);
/// assert_eq!(point, [1.0, 1_f64.exp()]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elementwise<M> {
    map: M,
    dim: usize,
}

impl<M: ScalarBijector> Elementwise<M> {
    /// `map` for each of `dim` numbers.
    pub const fn new(map: M, dim: usize) -> Self {
        Self { map, dim }
    }
}

impl<M: ScalarBijector> Bijector for Elementwise<M> {
    fn free_dim(&self) -> usize {
        self.dim
    }

    fn constrained_dim(&self) -> usize {
        self.dim
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        let mut ln_jacobian = 0.0;
        for (y, &x) in constrained.iter_mut().zip(free) {
            *y = self.map.forward(x);
            ln_jacobian += self.map.ln_slope(x);
        }
        ln_jacobian
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        for (x, &y) in free.iter_mut().zip(constrained) {
            *x = self.map.inverse(y);
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        for ((out, &x), &g) in free_gradient.iter_mut().zip(free).zip(gradient) {
            *out = times(g, self.map.slope(x)) + times(volume, self.map.ln_slope_derivative(x));
        }
    }
}

impl<M: RealScalarBijector> RealBijector for Elementwise<M> {
    #[track_caller]
    fn forward_real<R: Real>(&self, free: &[R], constrained: &mut [R]) -> R {
        check_lengths(self, free.len(), constrained.len());
        let mut ln_jacobian = R::from(0.0);
        for (y, &x) in constrained.iter_mut().zip(free) {
            *y = self.map.forward_real(x);
            ln_jacobian += self.map.ln_slope_real(x);
        }
        ln_jacobian
    }
}
