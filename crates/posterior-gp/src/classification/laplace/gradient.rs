//! The gradient of the evidence: explicit, and through the mode.

use posterior_math::linalg::{DMatrix, DVector};

use super::LaplaceFit;
use crate::classification::{EvidenceGradient, LatentApproximation};
use crate::likelihood::Likelihood;

impl<L: Likelihood> LaplaceFit<L> {
    /// The gradient of [`ln_evidence`](Self::ln_evidence), in which the mode moves with the parameters.
    ///
    /// Costs O(n³), about as much as two steps of the search. Rasmussen and Williams, algorithm 5.1.
    pub fn gradient(&self) -> EvidenceGradient {
        let LatentApproximation { prior, inputs, weights, curvature, .. } = &self.approximation;
        let [_, _, third] = self.observations.derivatives(&self.mode);
        let variances = self.gram.diagonal() - curvature.reduction(&self.gram);
        // By f̂: ∂(-½ ln |K⁻¹ + W|) / ∂f̂ᵢ = ½ Σᵢᵢ ∂³ ln p / ∂f̂ᵢ³, pulled back through f̂ = m + K ∇ ln p.
        let by_mode = 0.5 * variances.component_mul(&third);
        let pulled = &by_mode - curvature.apply(&(&self.gram * &by_mode));

        let matrix = pull_back(weights, &pulled, &curvature.matrix());
        EvidenceGradient {
            kernel: prior.kernel().gram_gradient(inputs, &matrix),
            mean: prior.mean().pull_back(inputs, (weights + &pulled).as_slice()),
            likelihood: self.likelihood_gradient(&variances, &(&self.gram * &pulled)),
        }
    }

    fn likelihood_gradient(&self, variances: &DVector<f64>, by_slope: &DVector<f64>) -> Vec<f64> {
        let likelihood = self.observations.likelihood();
        let of_parameter = |parameter| {
            let terms = self.observations.outputs().iter().enumerate().map(|(i, &output)| {
                let [value, slope, curvature] =
                    likelihood.parameter_derivatives(output, self.mode[i], parameter);
                value + by_slope[i] * slope + 0.5 * variances[i] * curvature
            });
            terms.sum()
        };
        (0..likelihood.parameters().len()).map(of_parameter).collect()
    }
}

/// ½ r rᵀ - ½ R + ½ (v rᵀ + r vᵀ): the derivatives by the entries of K.
fn pull_back(weights: &DVector<f64>, pulled: &DVector<f64>, reduction: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(weights.len(), weights.len(), |i, j| {
        0.5 * (weights[i] * weights[j] - reduction[(i, j)] + pulled[i] * weights[j] + weights[i] * pulled[j])
    })
}
