//! Hamiltonian Monte Carlo: the integrator's properties, samplers that keep the distribution of their
//! target, tuning, divergences.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adaptation;
mod divergences;
mod integrator;
mod invariance;
mod recovery;
mod resume;

use posterior_dist::target::{EvalError, FromGradFn, GradTarget, Target};
use posterior_math::linalg::{Cholesky, DMatrix};

/// The standard normal distribution.
fn standard(dim: usize) -> impl GradTarget + Sync {
    FromGradFn::new(dim, |x: &[f64], gradient: &mut [f64]| {
        let mut squares = 0.0;
        for (gradient, x) in gradient.iter_mut().zip(x) {
            *gradient = -x;
            squares += x * x;
        }
        -0.5 * squares
    })
}

/// A stationary autoregression of variance 1: x₀ ~ N(0, 1), xᵢ = r xᵢ₋₁ + √(1 - r²) noise.
fn autoregression(dim: usize, r: f64) -> impl GradTarget + Sync {
    FromGradFn::new(dim, move |x: &[f64], gradient: &mut [f64]| {
        let precision = 1.0 / (1.0 - r * r);
        let mut ln_density = -0.5 * x[0] * x[0];
        gradient[0] = -x[0];
        for i in 1..x.len() {
            let residual = x[i] - r * x[i - 1];
            ln_density -= 0.5 * residual * residual * precision;
            gradient[i] = -residual * precision;
            gradient[i - 1] += r * residual * precision;
        }
        ln_density
    })
}

/// Neal's funnel: v ~ N(0, 9), xᵢ ~ N(0, e^v).
fn funnel(dim: usize) -> impl GradTarget + Sync {
    FromGradFn::new(dim, |x: &[f64], gradient: &mut [f64]| {
        let (v, k) = (x[0], (x.len() - 1) as f64);
        let precision = (-v).exp();
        let squares: f64 = x[1..].iter().map(|x| x * x).sum();
        for (gradient, x) in gradient.iter_mut().zip(x).skip(1) {
            *gradient = -x * precision;
        }
        gradient[0] = -v / 9.0 - 0.5 * k + 0.5 * squares * precision;
        -v * v / 18.0 - 0.5 * k * v - 0.5 * squares * precision
    })
}

/// A normal distribution with a dense precision.
struct Normal {
    precision: DMatrix<f64>,
}

impl Normal {
    fn new(covariance: &DMatrix<f64>) -> Self {
        Self { precision: Cholesky::new(covariance).unwrap().inverse() }
    }
}

impl Target for Normal {
    fn dim(&self) -> usize {
        self.precision.nrows()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; x.len()])
    }
}

impl GradTarget for Normal {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let mut ln_density = 0.0;
        for (i, gradient) in gradient.iter_mut().enumerate() {
            *gradient = -self.precision.row(i).iter().zip(x).map(|(p, x)| p * x).sum::<f64>();
            ln_density += 0.5 * *gradient * x[i];
        }
        Ok(ln_density)
    }
}
