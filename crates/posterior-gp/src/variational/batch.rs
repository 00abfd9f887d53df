//! Some observations, and what the whitened inducing values say of the function there.

use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use crate::GaussianProcess;
use crate::classification::ObservationModel;
use crate::likelihood::{ExpectedLikelihood, Likelihood};

/// f = m + aᵀ v + e at some inputs, for whitened inducing values v and independent e.
#[derive(Debug, Clone)]
pub(super) struct Batch<O> {
    /// a, a column for each input.
    pub(super) projected: DMatrix<f64>,
    /// The variance of e.
    pub(super) unexplained: DVector<f64>,
    /// m.
    mean: DVector<f64>,
    outputs: Vec<O>,
}

/// Expectations of the terms of the ln likelihood.
pub(super) struct Expectations {
    /// Their sum.
    pub(super) value: f64,
    pub(super) slopes: DVector<f64>,
    pub(super) curvatures: DVector<f64>,
}

/// A normal distribution of the whitened inducing values.
#[derive(Debug, Clone)]
pub(super) struct Whitened {
    pub(super) mean: DVector<f64>,
    /// The factor of the precision.
    pub(super) factor: Cholesky,
}

impl<O: Copy> Batch<O> {
    /// The observations of these rows.
    pub(super) fn of_rows<L: Likelihood<Output = O>>(
        observations: &ObservationModel<L>,
        prior: &GaussianProcess,
        (inducing, root): (&DMatrix<f64>, &Cholesky),
        rows: &[usize],
    ) -> Self {
        let inputs = observations.inputs().select_rows(rows);
        let (projected, unexplained) = project(prior, (inducing, root), &inputs);
        let outputs = rows.iter().map(|&row| observations.outputs()[row]).collect();
        Self { projected, unexplained, mean: prior.mean().values(&inputs), outputs }
    }

    /// Means and variances of the function.
    pub(super) fn marginals(&self, values: &Whitened) -> (DVector<f64>, DVector<f64>) {
        let left = values.factor.half_solve(&self.projected);
        let mean = &self.mean + self.projected.tr_mul(&values.mean);
        let variance =
            DVector::from_fn(mean.len(), |i, _| self.unexplained[i] + left.column(i).norm_squared());
        (mean, variance)
    }

    pub(super) fn expectations<L: Likelihood<Output = O>>(
        &self,
        likelihood: &L,
        (mean, variance): &(DVector<f64>, DVector<f64>),
    ) -> Expectations {
        Expectations::of(likelihood, &self.outputs, mean, variance)
    }
}

impl Expectations {
    pub(super) fn of<L: Likelihood>(
        likelihood: &L,
        outputs: &[L::Output],
        mean: &DVector<f64>,
        variance: &DVector<f64>,
    ) -> Self {
        let count = outputs.len();
        let (mut slopes, mut curvatures) = (DVector::zeros(count), DVector::zeros(count));
        let mut sum = 0.0;
        for (i, &output) in outputs.iter().enumerate() {
            let ExpectedLikelihood { value, slope, curvature } =
                likelihood.expected(output, mean[i], variance[i]);
            sum += value;
            (slopes[i], curvatures[i]) = (slope, curvature);
        }
        Self { value: sum, slopes, curvatures }
    }
}

impl Whitened {
    /// The prior.
    pub(super) fn standard(size: usize) -> Self {
        Self { mean: DVector::zeros(size), factor: Cholesky::identity(size) }
    }

    /// The divergence from the prior: ½ (tr S + |m|² - M - ln |S|).
    pub(super) fn divergence(&self) -> f64 {
        let size = self.mean.len() as f64;
        let trace = self.factor.inverse_diagonal().sum();
        0.5 * (trace + self.mean.norm_squared() - size + self.factor.ln_determinant())
    }
}

/// L⁻¹ K_zx, and what of the prior variance it leaves.
pub(super) fn project(
    prior: &GaussianProcess,
    (inducing, root): (&DMatrix<f64>, &Cholesky),
    inputs: &DMatrix<f64>,
) -> (DMatrix<f64>, DVector<f64>) {
    let projected = root.half_solve(&prior.kernel().cross(inducing, inputs));
    let mut unexplained = prior.kernel().diagonal(inputs);
    for (variance, column) in unexplained.iter_mut().zip(projected.column_iter()) {
        *variance = (*variance - column.norm_squared()).max(0.0);
    }
    (projected, unexplained)
}
