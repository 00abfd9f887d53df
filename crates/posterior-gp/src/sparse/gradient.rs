//! The gradient of the evidence, pulled back through the three blocks of the kernel.

use posterior_math::linalg::{DVector, multiply_transpose};

use super::{Approximation, SparsePosterior, scale_columns};

/// The gradient of [`SparsePosterior::ln_marginal_likelihood`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SparseGradient {
    /// With respect to the parameters of the kernel, on their free scales.
    pub kernel: Vec<f64>,
    /// With respect to the noise variance of each observation.
    pub noise: DVector<f64>,
    /// With respect to each output; that of the mean of the process is its negative.
    pub outputs: DVector<f64>,
}

impl SparsePosterior {
    /// The gradient of the evidence, at fixed inducing inputs and jitter.
    ///
    /// # Cost
    /// About three times that of the posterior, and as much memory.
    pub fn gradient(&self) -> SparseGradient {
        // P = V G, where G holds the derivatives with respect to Q = K_xz K_zz⁻¹ K_zx; V (Q + Λ)⁻¹ = B⁻¹ V Λ⁻¹.
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
            Approximation::Variational => {
                pulled += scaled;
                let noise = DVector::from_fn(self.noise.len(), |i, _| {
                    totals[i] + 0.5 * self.unexplained[i] / self.noise[i].powi(2)
                });
                (self.noise.map(|noise| -0.5 / noise), noise)
            }
            Approximation::Fitc => {
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
        let mut kernel = self.kernel.cross_gradient(&self.inducing, &self.inputs, &cross);
        let rest = self.kernel.gram_gradient(&self.inducing, &own);
        let diagonal = self.kernel.diagonal_gradient(&self.inputs, variances.as_slice());
        for (sum, (rest, diagonal)) in kernel.iter_mut().zip(rest.iter().zip(&diagonal)) {
            *sum += rest + diagonal;
        }
        SparseGradient { kernel, noise, outputs: -&self.alpha }
    }
}
