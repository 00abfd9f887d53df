//! The regression of log-ratios on covariates, conjugate:
//!
//! ```text
//! Sigma ~ IW(topics + 1, v (I + 1 1')),   Gamma | Sigma ~ MN(0, V, Sigma)
//! ```
//!
//! with the diagonal `V` of the options. Log-ratios of independent weights have the covariance `I + 1 1'`:
//! the prior is the same whichever topic they are taken to.

use posterior_gaussian::InverseWishart;
use posterior_math::ParamError;
use posterior_math::linalg::{
    Cholesky, DMatrix, congruence, gram_of_columns, gram_of_rows, multiply, multiply_transpose,
    transpose_multiply,
};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::options::{StructuralTopicsOptions, TYPE};

/// Log-ratios beyond this are refused: their exponentials are zero or infinite.
const LARGEST: f64 = 1e4;

/// Covariates, and what follows from them and from the prior.
#[derive(Debug, Clone)]
pub(super) struct Design {
    /// Documents x (1 + features).
    pub(super) x: DMatrix<f64>,
    prior_precisions: Vec<f64>,
    /// Of `X'X` and the prior precisions.
    factor: Cholesky,
    pub(super) covariance_prior: InverseWishart,
}

/// Coefficients, (1 + features) x (topics - 1), and the spread around them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Regression {
    pub(super) gamma: DMatrix<f64>,
    pub(super) covariance: DMatrix<f64>,
    pub(super) precision: DMatrix<f64>,
    pub(super) ln_determinant: f64,
    /// The means of log-ratios, (topics - 1) x documents.
    pub(super) means: DMatrix<f64>,
}

impl Design {
    pub(super) fn new(
        features: &DMatrix<f64>,
        options: &StructuralTopicsOptions,
    ) -> Result<Self, ParamError> {
        let x = features.clone().insert_column(0, 1.0);
        let mut prior_precisions = vec![options.feature_variance.recip(); x.ncols()];
        prior_precisions[0] = options.intercept_variance.recip();
        let mut gram = gram_of_columns(&x);
        for (j, precision) in prior_precisions.iter().enumerate() {
            gram[(j, j)] += precision;
        }
        let factor = Cholesky::decompose(gram).map_err(|_| too_large(f64::NAN))?;
        let size = options.topics - 1;
        let scale = (DMatrix::identity(size, size) + DMatrix::from_element(size, size, 1.0))
            * options.document_variance;
        let covariance_prior = InverseWishart::new((size + 2) as f64, &scale)?;
        Ok(Self { x, prior_precisions, factor, covariance_prior })
    }

    /// The prior precision of the constant, in units of the precision of log-ratios.
    pub(super) fn constant_precision(&self) -> f64 {
        self.prior_precisions[0]
    }

    /// A draw given log-ratios, documents x (topics - 1).
    ///
    /// Cost: documents x (features + topics)².
    pub(super) fn draw<R: Rng + ?Sized>(
        &self,
        eta: &DMatrix<f64>,
        rng: &mut R,
    ) -> Result<Regression, ParamError> {
        let mean = self.factor.solve(&transpose_multiply(&self.x, eta));
        let residuals = eta - multiply(&self.x, &mean);
        let mut shrunk = mean.clone();
        for (mut row, precision) in shrunk.row_iter_mut().zip(&self.prior_precisions) {
            row *= precision.sqrt();
        }
        let scale = self.covariance_prior.scale() + gram_of_columns(&residuals) + gram_of_columns(&shrunk);
        let degrees_of_freedom = self.covariance_prior.degrees_of_freedom() + eta.nrows() as f64;
        let covariance = InverseWishart::new(degrees_of_freedom, &scale)?;
        let root = Cholesky::from_factor(covariance.sample_cholesky(rng)).map_err(|_| too_large(f64::NAN))?;
        let noise = DMatrix::from_fn(mean.nrows(), mean.ncols(), |_, _| StandardNormal.sample(rng));
        let noise = self.factor.half_solve_transpose(&multiply_transpose(&noise, root.factor()));
        self.regression(mean + noise, &root)
    }

    pub(super) fn regression(&self, gamma: DMatrix<f64>, root: &Cholesky) -> Result<Regression, ParamError> {
        let means = multiply_transpose(&gamma.transpose(), &self.x);
        if let Some(&mean) = means.iter().find(|mean| !(-LARGEST..=LARGEST).contains(*mean)) {
            return Err(too_large(mean));
        }
        Ok(Regression {
            covariance: gram_of_rows(root.factor()),
            precision: root.inverse(),
            ln_determinant: root.ln_determinant(),
            gamma,
            means,
        })
    }
}

impl Regression {
    /// ln p(log-ratios | coefficients, covariance), of log-ratios document after document.
    pub(super) fn ln_density(&self, eta: &[f64]) -> f64 {
        let (size, documents) = self.means.shape();
        let away = DMatrix::from_column_slice(size, documents, eta) - &self.means;
        let distance = multiply(&self.precision, &away).dot(&away);
        let normalizer = self.ln_determinant + size as f64 * std::f64::consts::TAU.ln();
        -0.5 * (distance + documents as f64 * normalizer)
    }

    /// Adds to the constants.
    pub(super) fn shift_constants(&mut self, by: &[f64]) {
        for (k, by) in by.iter().enumerate() {
            self.gamma[(0, k)] += by;
            self.means.row_mut(k).add_scalar_mut(*by);
        }
    }

    /// Coefficients and covariance with the topics in another order: of the log-ratios of topics `order[k]`.
    pub(super) fn relabelled(&self, order: &[usize]) -> (DMatrix<f64>, DMatrix<f64>) {
        let last = order[order.len() - 1];
        let change = DMatrix::from_fn(order.len() - 1, order.len() - 1, |k, j| {
            f64::from(i8::from(order[k] == j) - i8::from(last == j))
        });
        (multiply_transpose(&self.gamma, &change), congruence(&change, &self.covariance))
    }
}

fn too_large(mean: f64) -> ParamError {
    ParamError::new(TYPE, "mean log-ratio", mean, "within 10,000 of zero: features should be of size one")
}

#[cfg(test)]
mod tests;
