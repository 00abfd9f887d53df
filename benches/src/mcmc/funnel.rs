//! A density with a narrow neck.

use posterior_dist::target::{EvalError, GradTarget, Target};

/// Neal's funnel: v ~ N(0, 3²) and the other coordinates N(0, e^v).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funnel {
    /// The number of coordinates, v among them.
    pub dim: usize,
}

impl Target for Funnel {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(x, &mut vec![0.0; x.len()])
    }
}

impl GradTarget for Funnel {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let v = x[0];
        let precision = (-v).exp();
        let mut squares = 0.0;
        for (slope, x) in gradient[1..].iter_mut().zip(&x[1..]) {
            squares += x * x;
            *slope = -x * precision;
        }
        let half = 0.5 * (x.len() - 1) as f64;
        let energy = 0.5 * squares * precision;
        gradient[0] = energy - v / 9.0 - half;
        let value = -v * v / 18.0 - half * v - energy;
        if value.is_nan() { Err(EvalError::reject("the funnel overflows")) } else { Ok(value) }
    }
}
