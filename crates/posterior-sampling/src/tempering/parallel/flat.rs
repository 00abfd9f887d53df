//! No prior.

use posterior_dist::target::{EvalError, GradTarget, Target};

/// The flat prior on ℝⁿ, ln p = 0: of the path from it, each distribution is a power of the likelihood. It
/// has no integral: take β > 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flat {
    dim: usize,
}

impl Flat {
    /// In so many dimensions.
    pub const fn new(dim: usize) -> Self {
        Self { dim }
    }
}

impl Target for Flat {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Ok(0.0)
    }
}

impl GradTarget for Flat {
    fn ln_density_grad(&self, _: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient.fill(0.0);
        Ok(0.0)
    }
}
