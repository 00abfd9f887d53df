//! Effects of what is known beside the series.

use std::sync::Arc;

use posterior_math::autodiff::Real;
use posterior_math::linalg::DMatrix;

use super::part::{Blocks, Part, Timing};
use crate::learning::ParameterScale;

/// β(t+1) = β(t) + noise, of which x(t)·β(t) is seen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Regression {
    /// One row for each time.
    pub(super) inputs: Arc<DMatrix<f64>>,
}

impl Part for Regression {
    fn name(&self) -> &'static str {
        "regression"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        vec![("variance".to_owned(), ParameterScale::Positive)]
    }

    fn states(&self, _: Timing) -> usize {
        self.inputs.ncols()
    }

    fn write_row(&self, t: usize, row: &mut [f64]) {
        for (entry, input) in row.iter_mut().zip(self.inputs.row(t).iter()) {
            *entry = *input;
        }
    }

    fn times(&self) -> Option<usize> {
        Some(self.inputs.nrows())
    }

    fn signals(&self, states: usize) -> Vec<(String, Option<usize>)> {
        let coefficients = (0..states).map(|state| (format!("coefficient[{}]", state + 1), Some(state)));
        std::iter::once(("regression".to_owned(), None)).chain(coefficients).collect()
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, (_, dt): (f64, f64), mut to: Blocks<'_, R>) {
        for i in 0..self.inputs.ncols() {
            to.transition.set(i, i, R::constant(1.0));
            to.noise.set(i, i, values[0] * dt);
        }
    }
}
