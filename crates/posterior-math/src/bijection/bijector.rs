//! The trait of maps between free coordinates and constrained points.

use std::fmt::Debug;

use crate::autodiff::Real;

/// A smooth one-to-one map from ℝⁿ to a set of constrained points.
///
/// A constrained point may have more coordinates than it has degrees of freedom (a proportion too many, both
/// triangles of a symmetric matrix). J is then the derivative of as many of its coordinates as are free, and
/// a density on the constrained points is one in these coordinates: each map says which.
///
/// The distributions: `inverse` undoes `forward`; `forward` returns ln |det J|; `pull_back` is the gradient
/// of free ↦ ln p(forward(free)) + ln |J|. Slices of the wrong length panic.
pub trait Bijector: Debug {
    /// The number of free coordinates.
    fn free_dim(&self) -> usize;

    /// The number of coordinates of a constrained point.
    fn constrained_dim(&self) -> usize;

    /// Writes the constrained point, and returns ln |det J| there.
    ///
    /// Far out a coordinate may round to the boundary or overflow; ln |J| stays right.
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64;

    /// Writes the free coordinates: infinite on the boundary, NaN outside of the constraint.
    fn inverse(&self, constrained: &[f64], free: &mut [f64]);

    /// Writes Jᵀ `gradient` + `volume` ∇ ln |J|, for the gradient of a function of all coordinates of the
    /// constrained point, as if they were free.
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]);

    /// Writes the gradient of ln p(forward(free)) + ln |J| from the gradient of the log-density p.
    fn pull_back(&self, free: &[f64], gradient: &[f64], free_gradient: &mut [f64]) {
        self.pull_back_scaled(free, gradient, 1.0, free_gradient);
    }

    /// Writes the gradient of f(forward(free)) from the gradient of a function f: for a mode that does not
    /// depend on the coordinates.
    fn pull_back_function(&self, free: &[f64], gradient: &[f64], free_gradient: &mut [f64]) {
        self.pull_back_scaled(free, gradient, 0.0, free_gradient);
    }

    /// ln |det J| alone.
    fn ln_jacobian(&self, free: &[f64]) -> f64 {
        self.forward(free, &mut vec![0.0; self.constrained_dim()])
    }
}

/// A [`Bijector`] that is written for any kind of number, so that derivatives go through it.
pub trait RealBijector: Bijector {
    /// Writes the constrained point, and returns ln |det J|: [`forward`](Bijector::forward) for any [`Real`].
    fn forward_real<R: Real>(&self, free: &[R], constrained: &mut [R]) -> R;
}

impl<B: Bijector + ?Sized> Bijector for Box<B> {
    fn free_dim(&self) -> usize {
        (**self).free_dim()
    }

    fn constrained_dim(&self) -> usize {
        (**self).constrained_dim()
    }

    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        (**self).forward(free, constrained)
    }

    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        (**self).inverse(constrained, free);
    }

    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        (**self).pull_back_scaled(free, gradient, volume, free_gradient);
    }
}

/// Panics if a slice has the wrong length.
#[track_caller]
pub(super) fn check_lengths<B: Bijector + ?Sized>(map: &B, free: usize, constrained: usize) {
    assert_eq!(free, map.free_dim(), "the number of free coordinates");
    assert_eq!(constrained, map.constrained_dim(), "the number of constrained coordinates");
}

/// `a * b`, and 0 if `a` is 0, even where `b` has overflowed.
pub(super) fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a * b }
}
