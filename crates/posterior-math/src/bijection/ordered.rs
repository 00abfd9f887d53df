//! Ascending vectors.

use super::bijector::{Bijector, RealBijector, check_lengths, times};
use crate::autodiff::Real;

/// x₁ < x₂ < … from free numbers: x₁ = y₁, and xₖ = xₖ₋₁ + e^yₖ.
///
/// ln |J| = y₂ + y₃ + …. The inverse is NaN where the vector descends, -∞ where two numbers are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ordered {
    dim: usize,
}

impl Ordered {
    /// The map to vectors of length `dim`.
    pub const fn new(dim: usize) -> Self {
        Self { dim }
    }
}

impl Bijector for Ordered {
    fn free_dim(&self) -> usize {
        self.dim
    }

    fn constrained_dim(&self) -> usize {
        self.dim
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        self.forward_real(free, constrained)
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let mut last = 0.0;
        for (k, (y, &x)) in free.iter_mut().zip(constrained).enumerate() {
            *y = if k == 0 { x } else { (x - last).ln() };
            last = x;
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        let mut suffix = 0.0;
        for k in (0..free.len()).rev() {
            suffix += gradient[k];
            free_gradient[k] = if k == 0 { suffix } else { times(suffix, free[k].exp()) + volume };
        }
    }
}

impl RealBijector for Ordered {
    #[track_caller]
    fn forward_real<R: Real>(&self, free: &[R], constrained: &mut [R]) -> R {
        check_lengths(self, free.len(), constrained.len());
        let mut last = R::from(0.0);
        for (k, (x, &y)) in constrained.iter_mut().zip(free).enumerate() {
            last = if k == 0 { y } else { last + y.exp() };
            *x = last;
        }
        free.iter().skip(1).copied().sum()
    }
}
