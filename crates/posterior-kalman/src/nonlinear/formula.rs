//! Functions of the state whose derivatives are found by automatic differentiation.

use posterior_math::autodiff::{Dual, Real};
use posterior_math::linalg::DMatrix;

use super::{DifferentiableMap, Map};

/// Derivatives along so many directions are found in one pass.
const DIRECTIONS: usize = 4;

/// A function of the state written once, for any number type: a [`Map`] with exact derivatives by dual
/// numbers, in n / 4 passes, each at a few times the cost of a value.
pub trait Formula {
    /// The number n of arguments.
    fn inputs(&self) -> usize;

    /// The number m of values.
    fn outputs(&self) -> usize;

    /// Writes g(x) at time `t` to `out`.
    fn evaluate<R: Real>(&self, t: usize, x: &[R], out: &mut [R]);

    /// For how many times there is one; `None` if for all.
    fn times(&self) -> Option<usize> {
        None
    }
}

impl<F: Formula> Map for F {
    fn inputs(&self) -> usize {
        Formula::inputs(self)
    }

    fn outputs(&self) -> usize {
        Formula::outputs(self)
    }

    fn evaluate(&self, t: usize, x: &[f64], out: &mut [f64]) {
        Formula::evaluate(self, t, x, out);
    }

    fn times(&self) -> Option<usize> {
        Formula::times(self)
    }
}

impl<F: Formula> DifferentiableMap for F {
    fn evaluate_with_jacobian(&self, t: usize, x: &[f64], out: &mut [f64], jacobian: &mut DMatrix<f64>) {
        Formula::evaluate(self, t, x, out);
        let constant = <Dual<DIRECTIONS> as Real>::constant;
        let mut point: Vec<Dual<DIRECTIONS>> = x.iter().copied().map(constant).collect();
        let mut value = vec![constant(0.0); out.len()];
        for start in (0..x.len()).step_by(DIRECTIONS) {
            let end = (start + DIRECTIONS).min(x.len());
            for i in start..end {
                point[i] = Dual::variable(x[i], i - start);
            }
            Formula::evaluate(self, t, &point, &mut value);
            for i in start..end {
                point[i] = constant(x[i]);
                for (row, value) in value.iter().enumerate() {
                    jacobian[(row, i)] = value.derivatives()[i - start];
                }
            }
        }
    }
}
