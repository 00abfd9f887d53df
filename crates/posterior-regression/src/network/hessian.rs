//! Exact second derivatives, a column at a time: the derivative of the gradient along one parameter.

use posterior_math::linalg::{DMatrix, transpose_multiply};

use super::Joint;
use super::forward::{Trace, through_weights};

impl Joint {
    /// Adds the Hessian of -ln p(y | w) to `hessian`.
    ///
    /// As many passes through the network and back as there are parameters. Source: B. A. Pearlmutter, Fast
    /// exact multiplication by the Hessian, Neural Computation 6, 1994.
    pub(super) fn add_negative_hessian(&self, w: &[f64], hessian: &mut DMatrix<f64>) {
        let network = self.network();
        let matrices = network.matrices(w);
        let mut direction = vec![0.0; w.len()];
        for batch in self.batches() {
            let trace = Trace::new(network, &matrices, &batch.inputs);
            let (_, seed) = self.of_batch(&trace, batch);
            let mut deltas = Vec::with_capacity(matrices.len());
            trace.pull_back(seed, |_, delta| deltas.push(delta.clone()));
            deltas.reverse();
            let bends: Vec<_> = (0..matrices.len() - 1).map(|layer| trace.bends(layer)).collect();
            for at in 0..w.len() {
                direction[at] = 1.0;
                let change = network.matrices(&direction);
                direction[at] = 0.0;
                let along =
                    Along { joint: self, trace: &trace, matrices: &matrices, deltas: &deltas, bends: &bends };
                along.add_to(hessian.column_mut(at).as_mut_slice(), &change);
            }
        }
    }
}

/// What all directions share.
struct Along<'a> {
    joint: &'a Joint,
    trace: &'a Trace<'a>,
    matrices: &'a [DMatrix<f64>],
    /// Derivatives by the sums of each layer.
    deltas: &'a [DMatrix<f64>],
    bends: &'a [DMatrix<f64>],
}

impl Along<'_> {
    /// Adds the derivative of the gradient along a change of the parameters.
    fn add_to(&self, column: &mut [f64], change: &[DMatrix<f64>]) {
        let tangent = self.trace.tangent(change);
        let noise_variance = self.joint.hyperparameters().noise_variance();
        let last = self.matrices.len() - 1;
        let head = self.joint.observations().head();
        let mut moved = head.curvature_times(&self.trace.outputs, noise_variance, &tangent.sums[last]);
        for layer in (0..=last).rev() {
            let mut product = transpose_multiply(self.trace.layer_inputs(layer), &moved);
            if let Some(into) = &tangent.into[layer] {
                product += transpose_multiply(into, &self.deltas[layer]);
            }
            let range = self.joint.network().layers()[layer].range();
            for (sum, term) in column[range].iter_mut().zip(product.as_slice()) {
                *sum += term;
            }
            if layer > 0 {
                let straight = through_weights(&self.deltas[layer], &self.matrices[layer]);
                moved = through_weights(&moved, &self.matrices[layer])
                    + through_weights(&self.deltas[layer], &change[layer]);
                moved.component_mul_assign(self.trace.slopes(layer - 1));
                moved +=
                    straight.component_mul(&self.bends[layer - 1]).component_mul(&tangent.sums[layer - 1]);
            }
        }
    }
}
