//! What is minimised, and what a minimiser returns.

#[cfg(feature = "linalg")]
use crate::linalg::DMatrix;

/// A function with its gradient.
///
/// Implemented by every `FnMut(&[f64], &mut [f64]) -> f64`.
pub trait Objective {
    /// Writes the gradient at `x`, all of it, and returns the value.
    ///
    /// NaN, an infinity or a gradient that is not finite say that the function cannot be evaluated there: the
    /// minimiser takes a shorter step.
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64;
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Objective for F {
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self(x, gradient)
    }
}

/// A function with its gradient and its Hessian.
///
/// Implemented by every `FnMut(&[f64], &mut [f64], &mut DMatrix<f64>) -> f64`.
#[cfg(feature = "linalg")]
pub trait SmoothObjective {
    /// Writes gradient and Hessian at `x`, all of them, and returns the value; as [`Objective::evaluate`].
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>) -> f64;
}

#[cfg(feature = "linalg")]
impl<F: FnMut(&[f64], &mut [f64], &mut DMatrix<f64>) -> f64> SmoothObjective for F {
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>) -> f64 {
        self(x, gradient, hessian)
    }
}

/// Where a minimiser ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Minimum {
    /// The point.
    pub point: Vec<f64>,
    /// The objective there.
    pub value: f64,
    /// The largest absolute component of the gradient there.
    pub gradient_norm: f64,
    /// How often the objective was evaluated.
    pub evaluations: usize,
}

/// The largest absolute component; NaN if one is NaN.
pub(super) fn largest(gradient: &[f64]) -> f64 {
    gradient.iter().fold(0.0, |norm, g| if g.is_nan() || g.abs() > norm { g.abs() } else { norm })
}
