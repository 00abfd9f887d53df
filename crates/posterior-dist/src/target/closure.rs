//! Targets from closures.

use std::fmt;

use super::{EvalError, GradTarget, Target, checked};

/// A target from a closure that returns ln p(x): NaN and +∞ refuse the point.
pub struct FromFn<F> {
    dim: usize,
    ln_density: F,
}

/// A target from a closure that writes the gradient and returns ln p(x): NaN and +∞ refuse the point.
pub struct FromGradFn<F> {
    dim: usize,
    ln_density_grad: F,
}

impl<F: Fn(&[f64]) -> f64> FromFn<F> {
    /// A function on ℝⁿ.
    pub const fn new(dim: usize, ln_density: F) -> Self {
        Self { dim, ln_density }
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> FromGradFn<F> {
    /// A function on ℝⁿ with its gradient.
    pub const fn new(dim: usize, ln_density_grad: F) -> Self {
        Self { dim, ln_density_grad }
    }
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").field("dim", &self.dim).finish_non_exhaustive()
    }
}

impl<F> fmt::Debug for FromGradFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromGradFn").field("dim", &self.dim).finish_non_exhaustive()
    }
}

impl<F: Fn(&[f64]) -> f64> Target for FromFn<F> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        checked((self.ln_density)(x))
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> Target for FromGradFn<F> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; self.dim])
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> GradTarget for FromGradFn<F> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        checked((self.ln_density_grad)(x, gradient))
    }
}
