//! Through the layers and back, for many rows at once.

use std::ops::Range;

use posterior_math::linalg::{DMatrix, multiply, multiply_transpose};

use super::Network;
use crate::Error;

/// The matrix with a column of ones behind it: what biases multiply.
pub(super) fn with_ones(x: &DMatrix<f64>) -> DMatrix<f64> {
    let mut augmented = DMatrix::from_element(x.nrows(), x.ncols() + 1, 1.0);
    augmented.as_mut_slice()[..x.len()].copy_from_slice(x.as_slice());
    augmented
}

/// Rows at a time: enough for products of matrices, few enough for the cache.
pub(super) const BLOCK: usize = 256;

/// Blocks of rows with a column of ones, and where each starts.
pub(super) fn blocks(x: &DMatrix<f64>) -> impl Iterator<Item = (usize, DMatrix<f64>)> + '_ {
    (0..x.nrows()).step_by(BLOCK).map(|start| {
        let rows = BLOCK.min(x.nrows() - start);
        (start, with_ones(&x.rows(start, rows).into_owned()))
    })
}

impl Network {
    /// The outputs at each row of `x`: one row for each. Products of matrices in blocks of rows.
    ///
    /// # Errors
    /// Another number of inputs or parameters than the network has, or numbers that are not finite.
    pub fn outputs_at(&self, w: &[f64], x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        self.check_parameters(w)?;
        self.check_inputs(x)?;
        let matrices = self.matrices(w);
        let mut outputs = DMatrix::zeros(x.nrows(), self.outputs());
        for (start, block) in blocks(x) {
            let trace = Trace::new(self, &matrices, &block);
            outputs.rows_mut(start, block.nrows()).copy_from(&trace.outputs);
        }
        Ok(outputs)
    }

    /// The derivatives of the outputs by the parameters: for each output a matrix with a row for each row of
    /// `x` and a column for each parameter.
    ///
    /// # Errors
    /// As [`outputs_at`](Self::outputs_at).
    pub fn jacobians_at(&self, w: &[f64], x: &DMatrix<f64>) -> Result<Vec<DMatrix<f64>>, Error> {
        self.check_parameters(w)?;
        self.check_inputs(x)?;
        let matrices = self.matrices(w);
        let inputs = with_ones(x);
        let trace = Trace::new(self, &matrices, &inputs);
        Ok((0..self.outputs())
            .map(|output| trace.jacobian(trace.only(output), &(0..self.parameters())))
            .collect())
    }
}

/// What a pass through the layers leaves behind.
pub(super) struct Trace<'a> {
    pub(super) network: &'a Network,
    matrices: &'a [DMatrix<f64>],
    /// With a column of ones.
    inputs: &'a DMatrix<f64>,
    /// The values of each hidden layer, with a column of ones.
    hidden: Vec<DMatrix<f64>>,
    /// The slopes of each hidden layer.
    slopes: Vec<DMatrix<f64>>,
    pub(super) outputs: DMatrix<f64>,
}

impl<'a> Trace<'a> {
    /// The pass of `inputs`, which have their column of ones, through the layers with these parameters.
    pub(super) fn new(network: &'a Network, matrices: &'a [DMatrix<f64>], inputs: &'a DMatrix<f64>) -> Self {
        let last = matrices.len() - 1;
        let (mut hidden, mut slopes) = (Vec::with_capacity(last), Vec::with_capacity(last));
        for matrix in &matrices[..last] {
            let mut values = with_ones(&multiply(hidden.last().unwrap_or(inputs), matrix));
            let size = inputs.nrows() * matrix.ncols();
            network.activation().apply(&mut values.as_mut_slice()[..size]);
            let mut slope = DMatrix::zeros(inputs.nrows(), matrix.ncols());
            network.activation().slopes(&values.as_slice()[..size], slope.as_mut_slice());
            hidden.push(values);
            slopes.push(slope);
        }
        let outputs = multiply(hidden.last().unwrap_or(inputs), &matrices[last]);
        Self { network, matrices, inputs, hidden, slopes, outputs }
    }

    /// What goes into a layer, with a column of ones.
    pub(super) fn layer_inputs(&self, layer: usize) -> &DMatrix<f64> {
        if layer == 0 { self.inputs } else { &self.hidden[layer - 1] }
    }

    /// The derivatives of the sum Σ seed ∘ outputs by the sums of each layer, the last layer's first.
    pub(super) fn pull_back(&self, seed: DMatrix<f64>, mut visit: impl FnMut(usize, &DMatrix<f64>)) {
        let mut delta = seed;
        for layer in (0..self.matrices.len()).rev() {
            visit(layer, &delta);
            if layer > 0 {
                delta = through_weights(&delta, &self.matrices[layer]);
                delta.component_mul_assign(&self.slopes[layer - 1]);
            }
        }
    }

    /// The seed of one output.
    pub(super) fn only(&self, output: usize) -> DMatrix<f64> {
        let mut seed = DMatrix::zeros(self.outputs.nrows(), self.outputs.ncols());
        seed.column_mut(output).fill(1.0);
        seed
    }

    /// The derivatives of each row's combination of outputs, with the weights in the row of `seed`, by the
    /// parameters in `range`, which begins with a layer.
    pub(super) fn jacobian(&self, seed: DMatrix<f64>, range: &Range<usize>) -> DMatrix<f64> {
        let mut jacobian = DMatrix::zeros(seed.nrows(), range.len());
        self.pull_back(seed, |layer, delta| {
            let layer_range = self.network.layers()[layer].range();
            if layer_range.start < range.start {
                return;
            }
            let inputs = self.layer_inputs(layer);
            let mut columns = jacobian.columns_mut(layer_range.start - range.start, layer_range.len());
            for unit in 0..delta.ncols() {
                for input in 0..inputs.ncols() {
                    let mut column = columns.column_mut(unit * inputs.ncols() + input);
                    let values = inputs.column(input);
                    let deltas = delta.column(unit);
                    let factors = values.as_slice().iter().zip(deltas.as_slice());
                    for (entry, (value, delta)) in column.as_mut_slice().iter_mut().zip(factors) {
                        *entry = value * delta;
                    }
                }
            }
        });
        jacobian
    }

    /// The derivative along a change of the parameters: of the sums, then of what goes on, layer by layer.
    ///
    /// Returns the derivatives of what goes into each layer (without the ones; zero for the first), of the
    /// sums of the hidden layers, and of the outputs.
    pub(super) fn tangent(&self, change: &[DMatrix<f64>]) -> Tangent {
        let (mut into, mut sums) = (vec![None], Vec::new());
        for (layer, change) in change.iter().enumerate() {
            let mut sum = multiply(self.layer_inputs(layer), change);
            if let Some(moved) = into.last().and_then(Option::as_ref) {
                sum += multiply(moved, &self.matrices[layer]);
            }
            if layer < self.hidden.len() {
                let mut moved = with_ones(&sum.component_mul(&self.slopes[layer]));
                let ones = moved.ncols() - 1;
                moved.column_mut(ones).fill(0.0);
                into.push(Some(moved));
            }
            sums.push(sum);
        }
        Tangent { into, sums }
    }

    /// Second derivatives of the activations of a hidden layer.
    pub(super) fn bends(&self, layer: usize) -> DMatrix<f64> {
        let slopes = &self.slopes[layer];
        self.network.activation().bends(&self.hidden[layer].as_slice()[..slopes.len()], slopes)
    }

    /// The slopes of a hidden layer.
    pub(super) fn slopes(&self, layer: usize) -> &DMatrix<f64> {
        &self.slopes[layer]
    }
}

/// Derivatives along a change of the parameters.
pub(super) struct Tangent {
    /// Of what goes into each layer, with zeros for the ones; none for the inputs, which do not move.
    pub(super) into: Vec<Option<DMatrix<f64>>>,
    /// Of the sums of each layer; the last are the outputs.
    pub(super) sums: Vec<DMatrix<f64>>,
}

/// Derivatives by what goes into a layer, without the ones, from those by its sums.
pub(super) fn through_weights(delta: &DMatrix<f64>, matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let inputs = matrix.nrows() - 1;
    multiply_transpose(delta, matrix).remove_column(inputs)
}
