//! The gradient of the bound at its highest point.

use posterior_math::linalg::{DMatrix, multiply_transpose};

use super::VariationalInducing;
use crate::classification::EvidenceGradient;
use crate::likelihood::{Likelihood, expectation};

impl<L: Likelihood> VariationalInducing<L> {
    /// The derivatives of the bound by the parameters of kernel, mean function and likelihood on their free
    /// scales, for the distribution of the inducing values that there is, at fixed inducing inputs and
    /// jitter.
    ///
    /// Where the search converged that is the gradient of [`ln_bound`](Self::ln_bound), since its derivatives
    /// by the distribution are zero.
    ///
    /// Costs about as much as three steps over all observations.
    pub fn gradient(&self) -> EvidenceGradient {
        let (kernel, likelihood) = (self.prior.kernel(), self.observations.likelihood());
        let size = self.inducing.nrows();
        let covariance = self.values.factor.inverse();
        let excess = &covariance - DMatrix::identity(size, size);
        let mut by_kernel = vec![0.0; kernel.parameters().len()];
        let mut by_mean = vec![0.0; self.prior.mean().parameters().len()];
        let mut by_likelihood = vec![0.0; likelihood.parameters().len()];
        // -K⁻¹ + K⁻¹ E(u uᵀ) K⁻¹, twice the derivative of the divergence, in whitened coordinates.
        let mut inner = (&excess + &self.values.mean * self.values.mean.transpose()) * 0.5;
        // m is zero at the inducing inputs for v: the mean function moves f by itself.
        self.for_each_chunk(|rows, batch| {
            let inputs = self.observations.inputs().select_rows(rows);
            let (mean, variance) = batch.marginals(&self.values);
            let marginals = (mean, variance);
            let expected = batch.expectations(likelihood, &marginals);
            let mut weighted = batch.projected.clone();
            for (mut column, curvature) in weighted.column_iter_mut().zip(&expected.curvatures) {
                column *= *curvature;
            }
            let linear = &self.values.mean * expected.slopes.transpose();
            let cross = &linear + &excess * &weighted;
            inner -= multiply_transpose(&linear, &batch.projected);
            // ½ γ (a aᵀ - 2 S a aᵀ), summed.
            let squares = multiply_transpose(&weighted, &batch.projected);
            inner += 0.5 * &squares - &covariance * &squares;
            add(
                &mut by_kernel,
                &kernel.cross_gradient(&self.inducing, &inputs, &self.root.half_solve_transpose(&cross)),
            );
            let halves = &expected.curvatures * 0.5;
            add(&mut by_kernel, &kernel.diagonal_gradient(&inputs, halves.as_slice()));
            add(&mut by_mean, &self.prior.mean().pull_back(&inputs, expected.slopes.as_slice()));
            for (parameter, sum) in by_likelihood.iter_mut().enumerate() {
                for (i, &row) in rows.iter().enumerate() {
                    let output = self.observations.outputs()[row];
                    let of = |f: f64| likelihood.parameter_derivatives(output, f, parameter)[0];
                    *sum += expectation(likelihood, marginals.0[i], marginals.1[i], of);
                }
            }
        });
        let left = self.root.half_solve_transpose(&inner);
        let own = self.root.half_solve_transpose(&left.transpose());
        add(&mut by_kernel, &kernel.gram_gradient(&self.inducing, &((&own + own.transpose()) * 0.5)));
        EvidenceGradient { kernel: by_kernel, mean: by_mean, likelihood: by_likelihood }
    }
}

fn add(sums: &mut [f64], terms: &[f64]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}
