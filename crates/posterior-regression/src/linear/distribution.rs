//! The normal distribution of the weights, in the form that it was computed in.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns, multiply, transpose_multiply};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use super::WeightPrior;

/// Rows of inputs whose variances are computed together.
const ROWS: usize = 1024;

/// A covariance C of weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Spread {
    /// The factor L of C⁻¹.
    Precision(Cholesky),
    /// S^(1/2) (I - Vᵀ V) S^(T/2) with V = L⁻¹ B, where B is the whitened design times S^(1/2) and L the
    /// factor of B Bᵀ + I.
    Reduced { prior: Box<WeightPrior>, v: DMatrix<f64>, factor: Cholesky },
}

impl Spread {
    /// R with Rᵀ R = Bᵀ C B: sums of squares, whatever rounding does.
    fn root_of(&self, b: DMatrix<f64>) -> DMatrix<f64> {
        match self {
            Self::Precision(factor) => factor.half_solve(&b),
            Self::Reduced { prior, v, factor } => {
                // I - Vᵀ V = (I - Vᵀ V)² + Vᵀ L⁻¹ L⁻ᵀ V, the form of Joseph.
                let white = prior.root_transpose_times(b);
                let known = multiply(v, &white);
                let (features, rows) = (white.nrows(), known.nrows());
                let mut root = DMatrix::zeros(features + rows, white.ncols());
                root.rows_mut(0, features).copy_from(&(white - transpose_multiply(v, &known)));
                root.rows_mut(features, rows).copy_from(&factor.half_solve_transpose(&known));
                root
            }
        }
    }

    fn identity(&self) -> DMatrix<f64> {
        let features = match self {
            Self::Precision(factor) => factor.size(),
            Self::Reduced { prior, .. } => prior.features(),
        };
        DMatrix::identity(features, features)
    }

    /// C.
    pub(super) fn covariance(&self) -> DMatrix<f64> {
        match self {
            Self::Precision(factor) => factor.inverse(),
            Self::Reduced { .. } => gram_of_columns(&self.root_of(self.identity())),
        }
    }

    /// The diagonal of C.
    pub(super) fn variances(&self) -> DVector<f64> {
        match self {
            Self::Precision(factor) => factor.inverse_diagonal(),
            Self::Reduced { .. } => DVector::from_vec(self.variances_at(&self.identity())),
        }
    }

    /// φᵀ C φ for each row φ of a design.
    pub(super) fn variances_at(&self, design: &DMatrix<f64>) -> Vec<f64> {
        let mut variances = Vec::with_capacity(design.nrows());
        for from in (0..design.nrows()).step_by(ROWS) {
            let count = ROWS.min(design.nrows() - from);
            let root = self.root_of(design.rows(from, count).transpose());
            variances.extend(root.column_iter().map(|column| column.norm_squared()));
        }
        variances
    }

    /// Φ C Φᵀ.
    pub(super) fn covariance_at(&self, design: &DMatrix<f64>) -> DMatrix<f64> {
        gram_of_columns(&self.root_of(design.transpose()))
    }

    /// A draw from N(0, C).
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> DVector<f64> {
        let mut noise = |count: usize| {
            DVector::from_iterator(count, (0..count).map(|_| -> f64 { StandardNormal.sample(rng) }))
        };
        match self {
            Self::Precision(factor) => factor.half_solve_transpose_vector(&noise(factor.size())),
            Self::Reduced { prior, v, factor } => {
                // z - Vᵀ (V z + L⁻¹ e) has covariance I - Vᵀ V.
                let z = noise(prior.features());
                let e = factor.half_solve_vector(&noise(factor.size()));
                let z = &z - v.tr_mul(&(v * &z + e));
                let count = z.len();
                prior.root_times(DMatrix::from_column_slice(count, 1, z.as_slice())).column(0).into_owned()
            }
        }
    }

    /// tr(I - C S⁻¹), of the same prior: how many weights the data determine.
    pub(super) fn effective_parameters(&self, prior: &WeightPrior) -> f64 {
        match self {
            Self::Precision(factor) => {
                let features = prior.features();
                let root = prior.precision_root();
                let kept = factor.half_solve(&root.transpose()).norm_squared();
                (features as f64 - kept).max(0.0)
            }
            Self::Reduced { prior: start, v, .. } if **start == *prior => v.norm_squared(),
            Self::Reduced { .. } => {
                let kept = prior.times_precision(&self.covariance()).trace();
                (prior.features() as f64 - kept).max(0.0)
            }
        }
    }

    /// The distribution N(mean, C) as a prior.
    pub(super) fn as_prior(
        &self,
        mean: &DVector<f64>,
    ) -> Result<WeightPrior, posterior_math::linalg::MatrixError> {
        match self {
            Self::Precision(factor) => Ok(WeightPrior::of_precision(mean.clone(), factor.clone())),
            Self::Reduced { .. } => WeightPrior::of_covariance(mean.clone(), self.covariance()),
        }
    }
}
