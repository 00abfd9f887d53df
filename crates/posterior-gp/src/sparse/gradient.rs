//! The gradient of the evidence, pulled back through the three blocks of the kernel.

use posterior_math::linalg::{DVector, multiply_transpose};

use super::{SparseApproximation, SparsePosterior, scale_columns};
use crate::kernel::KernelParameter;

impl SparsePosterior {
    /// The parameters that a fit may move: those of the kernel, of the mean function, of the noise.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.process.kernel().parameters();
        parameters.extend(self.process.mean().parameters());
        parameters.extend(self.noise.parameters());
        parameters
    }

    /// The derivatives of [`ln_evidence`](Self::ln_evidence) by the [`parameters`](Self::parameters) on
    /// their free scales, at fixed inducing inputs and jitter.
    ///
    /// # Cost
    /// About three times that of the posterior, and as much memory.
    pub fn gradient(&self) -> Vec<f64> {
        // P = V G, where G holds the derivatives with respect to Q = K_xz K_zz⁻¹ K_zx; V (Q + Λ)⁻¹ = B⁻¹ V
        // Λ⁻¹.
        let mut solved = self.projected.clone();
        scale_columns(&mut solved, &self.totals.map(f64::recip));
        let scaled = solved.clone();
        self.capacitance.solve_in_place(&mut solved);
        let half = self.capacitance.half_solve(&self.projected);
        // The diagonal of (Q + Λ)⁻¹.
        let precisions = DVector::from_fn(self.totals.len(), |i, _| {
            (1.0 - half.column(i).norm_squared() / self.totals[i]) / self.totals[i]
        });
        // ∂/∂Λ.
        let totals =
            DVector::from_fn(self.totals.len(), |i, _| 0.5 * (self.alpha[i].powi(2) - precisions[i]));
        let mut pulled = &self.weights * self.alpha.transpose() - solved;
        let (variances, noise) = match self.approximation {
            SparseApproximation::Variational => {
                pulled += scaled;
                let noise = DVector::from_fn(self.variances.len(), |i, _| {
                    totals[i] + 0.5 * self.unexplained[i] / self.variances[i].powi(2)
                });
                (self.variances.map(|variance| -0.5 / variance), noise)
            }
            SparseApproximation::Fitc => {
                let mut explained = self.projected.clone();
                scale_columns(&mut explained, &totals);
                pulled -= 2.0 * explained;
                (totals.clone(), totals)
            }
        };
        // Twice P so far. The blocks get 2 L⁻ᵀ P and -L⁻ᵀ P Vᵀ L⁻¹.
        let inner = multiply_transpose(&pulled, &self.projected);
        let cross = self.root.half_solve_transpose(&pulled);
        let left = self.root.half_solve_transpose(&inner);
        let own = self.root.half_solve_transpose(&left.transpose()) * -0.5;
        let kernel = self.process.kernel();
        let mut gradient = kernel.cross_gradient(&self.inducing, &self.inputs, &cross);
        let rest = kernel.gram_gradient(&self.inducing, &own);
        let diagonal = kernel.diagonal_gradient(&self.inputs, variances.as_slice());
        for (sum, (rest, diagonal)) in gradient.iter_mut().zip(rest.iter().zip(&diagonal)) {
            *sum += rest + diagonal;
        }
        gradient.extend(self.process.mean().pull_back(&self.inputs, self.alpha.as_slice()));
        gradient.extend(self.noise.learned().map(|variance| variance * noise.sum()));
        gradient
    }
}
