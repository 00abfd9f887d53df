//! The gradient of the evidence of several classes.

use posterior_math::linalg::{DMatrix, DVector};

use super::{SoftmaxLaplace, apply_prior};

impl SoftmaxLaplace {
    /// The gradient of [`ln_evidence`](Self::ln_evidence) by the parameters of each kernel on their free
    /// scales; the mode moves with them.
    ///
    /// Costs O(C n³).
    pub fn gradient(&self) -> Vec<Vec<f64>> {
        let by_mode = self.gradient_by_mode();
        let pulled = &by_mode - self.blocks.apply(&apply_prior(&self.grams, &by_mode));
        let mut gradient: Vec<Vec<f64>> =
            self.kernels.iter().map(|kernel| vec![0.0; kernel.parameters().len()]).collect();
        for class in 0..self.observations.classes() {
            let reduction = self.blocks.own_block(class);
            let (r, v) = (self.weights.column(class), pulled.column(class));
            let n = r.len();
            let matrix = DMatrix::from_fn(n, n, |i, j| {
                0.5 * (r[i] * r[j] - reduction[(i, j)] + v[i] * r[j] + r[i] * v[j])
            });
            let terms = self.kernel(class).gram_gradient(self.observations.inputs(), &matrix);
            let kernel = class.min(self.kernels.len() - 1);
            for (sum, term) in gradient[kernel].iter_mut().zip(terms) {
                *sum += term;
            }
        }
        gradient
    }

    /// ∂(-½ ln |K⁻¹ + W|) / ∂f̂ = -½ tr(Σᵢ ∂Wᵢ), with the posterior covariance Σᵢ of all classes at place i.
    fn gradient_by_mode(&self) -> DMatrix<f64> {
        let priors: Vec<DVector<f64>> = self.grams.iter().map(DMatrix::diagonal).collect();
        let covariances = self.blocks.covariances(&self.grams, &priors);
        let mut gradient = DMatrix::zeros(self.mode.nrows(), self.mode.ncols());
        for (i, covariance) in covariances.iter().enumerate() {
            let p = self.probabilities.row(i).transpose();
            // ∂Wₐᵦ = δ ∂pₐ - ∂pₐ pᵦ - pₐ ∂pᵦ, and ∂pₐ/∂fₖ = pₐ (δ - pₖ).
            let terms = covariance.diagonal() - 2.0 * covariance * &p;
            let mean = p.dot(&terms);
            for k in 0..p.len() {
                gradient[(i, k)] = -0.5 * p[k] * (terms[k] - mean);
            }
        }
        gradient
    }
}
