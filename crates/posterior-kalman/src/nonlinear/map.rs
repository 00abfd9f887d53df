//! Functions of the state at each time.

use posterior_math::linalg::DMatrix;

use crate::{Matrices, ObservationEquation, TransitionEquation};

/// A function from n numbers to m numbers at each time: where a state moves, or what is seen of it.
pub trait Map {
    /// The number n of arguments.
    fn inputs(&self) -> usize;

    /// The number m of values.
    fn outputs(&self) -> usize;

    /// Writes g(x) at time `t` to `out`. A number that is not finite says that g has no value there.
    fn evaluate(&self, t: usize, x: &[f64], out: &mut [f64]);

    /// For how many times there is one; `None` if for all.
    fn times(&self) -> Option<usize> {
        None
    }
}

/// A [`Map`] with derivatives.
pub trait DifferentiableMap: Map {
    /// Writes g(x) at time `t` to `out`, and its derivatives, m x n, to `jacobian`.
    fn evaluate_with_jacobian(&self, t: usize, x: &[f64], out: &mut [f64], jacobian: &mut DMatrix<f64>);
}

/// A [`Map`] from a closure that writes g(x) at time t to its last argument.
///
/// ```
/// use posterior_kalman::nonlinear::{FnMap, Map};
///
/// let distance = FnMap::new(2, 1, |_, x: &[f64], out: &mut [f64]| out[0] = x[0].hypot(x[1]));
/// let mut seen = [0.0];
/// distance.evaluate(0, &[3.0, 4.0], &mut seen);
/// assert_eq!(seen, [5.0]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct FnMap<G> {
    inputs: usize,
    outputs: usize,
    function: G,
}

impl<G: Fn(usize, &[f64], &mut [f64])> FnMap<G> {
    /// The function from n = `inputs` to m = `outputs` numbers.
    pub const fn new(inputs: usize, outputs: usize, function: G) -> Self {
        Self { inputs, outputs, function }
    }
}

impl<G: Fn(usize, &[f64], &mut [f64])> Map for FnMap<G> {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn outputs(&self) -> usize {
        self.outputs
    }

    fn evaluate(&self, t: usize, x: &[f64], out: &mut [f64]) {
        (self.function)(t, x, out);
    }
}

/// out = A x + b.
fn affine(matrix: &Matrices, offset: &Matrices, t: usize, x: &[f64], out: &mut [f64]) {
    out.copy_from_slice(offset.at(t));
    for (column, &x) in matrix.at(t).chunks_exact(matrix.rows().max(1)).zip(x) {
        out.iter_mut().zip(column).for_each(|(out, entry)| *out += entry * x);
    }
}

/// x ↦ A x + b: a linear transition in a model that observes otherwise. Its noise is given to the model.
impl Map for TransitionEquation {
    fn inputs(&self) -> usize {
        self.states()
    }

    fn outputs(&self) -> usize {
        self.states()
    }

    fn evaluate(&self, t: usize, x: &[f64], out: &mut [f64]) {
        affine(self.matrix(), self.offset(), t, x, out);
    }

    fn times(&self) -> Option<usize> {
        self.times()
    }
}

impl DifferentiableMap for TransitionEquation {
    fn evaluate_with_jacobian(&self, t: usize, x: &[f64], out: &mut [f64], jacobian: &mut DMatrix<f64>) {
        self.evaluate(t, x, out);
        jacobian.as_mut_slice().copy_from_slice(self.matrix().at(t));
    }
}

/// x ↦ H x + d: a linear observation of a state that moves otherwise. Its noise is given to the model.
impl Map for ObservationEquation {
    fn inputs(&self) -> usize {
        self.states()
    }

    fn outputs(&self) -> usize {
        self.width()
    }

    fn evaluate(&self, t: usize, x: &[f64], out: &mut [f64]) {
        affine(self.matrix(), self.offset(), t, x, out);
    }

    fn times(&self) -> Option<usize> {
        self.times()
    }
}

impl DifferentiableMap for ObservationEquation {
    fn evaluate_with_jacobian(&self, t: usize, x: &[f64], out: &mut [f64], jacobian: &mut DMatrix<f64>) {
        self.evaluate(t, x, out);
        jacobian.as_mut_slice().copy_from_slice(self.matrix().at(t));
    }
}
