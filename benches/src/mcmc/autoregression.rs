//! A chain of correlated coordinates.

use posterior_dist::target::{EvalError, GradTarget, Target};

/// x₀ ~ N(0, 1) and xᵢ = ρ xᵢ₋₁ + √(1 - ρ²) N(0, 1): covariances ρ^|i - j|.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autoregression {
    /// The number of coordinates.
    pub dim: usize,
    /// Correlation ρ of neighbours.
    pub correlation: f64,
}

impl Target for Autoregression {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let precision = 1.0 / (1.0 - self.correlation * self.correlation);
        let square = |pair: &[f64]| (pair[1] - self.correlation * pair[0]).powi(2);
        Ok(-0.5 * (x[0] * x[0] + precision * x.windows(2).map(square).sum::<f64>()))
    }
}

impl GradTarget for Autoregression {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let rho = self.correlation;
        let precision = 1.0 / (1.0 - rho * rho);
        let (mut sum, mut last) = (x[0] * x[0], -x[0]);
        for (slope, pair) in gradient.iter_mut().zip(x.windows(2)) {
            let error = pair[1] - rho * pair[0];
            let pull = precision * error;
            sum += pull * error;
            *slope = last + rho * pull;
            last = -pull;
        }
        gradient[x.len() - 1] = last;
        Ok(-0.5 * sum)
    }
}
