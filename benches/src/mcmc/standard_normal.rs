//! Independent coordinates.

use posterior_dist::target::{EvalError, GradTarget, Target};

/// x ~ N(0, I).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandardNormal {
    /// The number of coordinates.
    pub dim: usize,
}

impl Target for StandardNormal {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(-0.5 * x.iter().map(|x| x * x).sum::<f64>())
    }
}

impl GradTarget for StandardNormal {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        for (slope, x) in gradient.iter_mut().zip(x) {
            *slope = -x;
        }
        self.ln_density(x)
    }
}
