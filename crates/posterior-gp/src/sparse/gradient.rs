//! The gradient of the evidence, pulled back through the three blocks of the kernel.

use posterior_math::linalg::{DMatrix, DVector, multiply_transpose};

use super::{SparseApproximation, SparsePosterior, scale_columns};
use crate::Error;
use crate::kernel::KernelParameter;

/// The derivatives of the evidence by the blocks of the kernel, and by the noise of each observation.
struct Blocks {
    /// By k(z, x).
    cross: DMatrix<f64>,
    /// By k(z, z').
    own: DMatrix<f64>,
    /// By k(x, x).
    diagonal: DVector<f64>,
    noise: DVector<f64>,
}

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
        let Blocks { cross, own, diagonal, noise } = self.blocks();
        let kernel = self.process.kernel();
        let mut gradient = kernel.cross_gradient(&self.inducing, &self.inputs, &cross);
        let rest = kernel.gram_gradient(&self.inducing, &own);
        let diagonal = kernel.diagonal_gradient(&self.inputs, diagonal.as_slice());
        for (sum, (rest, diagonal)) in gradient.iter_mut().zip(rest.iter().zip(&diagonal)) {
            *sum += rest + diagonal;
        }
        gradient.extend(self.process.mean().pull_back(&self.inputs, self.alpha.as_slice()));
        gradient.extend(self.noise.learned().map(|variance| variance * noise.sum()));
        gradient
    }

    /// The derivatives of [`ln_evidence`](Self::ln_evidence) by the coordinates of the inducing inputs, at
    /// fixed jitter: a row for each of them.
    ///
    /// # Errors
    /// If the kernel does not know its derivative in its inputs
    /// ([`Kernel::input_slope`](crate::Kernel::input_slope)).
    ///
    /// # Cost
    /// About that of the posterior, and a derivative of the kernel for each pair of an inducing input and an
    /// observation.
    pub fn inducing_gradient(&self) -> Result<DMatrix<f64>, Error> {
        let Blocks { cross, own, .. } = self.blocks();
        let kernel = self.process.kernel();
        let rows = |inputs: &DMatrix<f64>| -> Vec<Vec<f64>> {
            inputs.row_iter().map(|row| row.iter().copied().collect()).collect()
        };
        let (inducing, inputs) = (rows(&self.inducing), rows(&self.inputs));
        let mut gradient = DMatrix::zeros(self.inducing.nrows(), self.inducing.ncols());
        for (i, z) in inducing.iter().enumerate() {
            let observed = inputs.iter().enumerate().map(|(j, x)| (cross[(i, j)], x));
            // k(z, z') has z twice, as row and as column.
            let others = inducing.iter().enumerate().map(|(j, x)| (own[(i, j)] + own[(j, i)], x));
            for (weight, other) in observed.chain(others) {
                let slope = kernel
                    .input_slope(z, other)
                    .ok_or_else(|| Error::NoInputSlope { kernel: kernel.to_string() })?;
                for (coordinate, slope) in slope.into_iter().enumerate() {
                    gradient[(i, coordinate)] += weight * slope;
                }
            }
        }
        Ok(gradient)
    }

    fn blocks(&self) -> Blocks {
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
        let (diagonal, noise) = match self.approximation {
            SparseApproximation::Variational => {
                pulled += scaled;
                let noise = DVector::from_fn(self.variances.len(), |i, _| {
                    totals[i] + 0.5 * self.unexplained[i] / self.variances[i].powi(2)
                });
                (self.variances.map(|variance| -0.5 / variance), noise)
            }
            SparseApproximation::SubsetOfRegressors => (DVector::zeros(self.variances.len()), totals),
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
        Blocks { cross, own, diagonal, noise }
    }
}
