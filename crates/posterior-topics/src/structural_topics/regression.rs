//! The regression of log-ratios on covariates, conjugate: `Gamma ~ MN(0, V, Sigma)` with the diagonal `V` of
//! the options.

use posterior_math::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, multiply, transpose_multiply};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::document::{LogRatios, Spread};
use super::options::{StructuralTopicsOptions, TYPE};

/// States of the chain before the first draw, and between two.
const WARM_UP: usize = 20;
const THIN: usize = 5;

/// Covariates, and what follows from them.
#[derive(Debug)]
pub(super) struct Design {
    /// Documents x (1 + features).
    pub(super) x: DMatrix<f64>,
    prior_precisions: Vec<f64>,
    /// Of `X'X` and the prior precisions.
    factor: Cholesky,
}

/// Coefficients, (1 + features) x (topics - 1), and the spread around them.
#[derive(Debug, Clone)]
pub(super) struct Regression {
    pub(super) gamma: DMatrix<f64>,
    pub(super) spread: Spread,
}

impl Design {
    pub(super) fn new(
        features: &DMatrix<f64>,
        options: &StructuralTopicsOptions,
    ) -> Result<Self, ParamError> {
        let x = features.clone().insert_column(0, 1.0);
        let mut prior_precisions = vec![options.feature_variance.recip(); x.ncols()];
        prior_precisions[0] = options.intercept_variance.recip();
        let mut gram = transpose_multiply(&x, &x);
        for (j, precision) in prior_precisions.iter().enumerate() {
            gram[(j, j)] += precision;
        }
        let too_large =
            |_| ParamError::new(TYPE, "features", f64::NAN, "so small that X'X is positive definite");
        let factor = Cholesky::decompose(gram).map_err(too_large)?;
        Ok(Self { x, prior_precisions, factor })
    }

    /// The posterior mean of the coefficients given log-ratios, documents x (topics - 1).
    fn mean(&self, eta: &DMatrix<f64>) -> DMatrix<f64> {
        self.factor.solve(&transpose_multiply(&self.x, eta))
    }

    /// The mode of coefficients and spread given the posteriors of documents.
    pub(super) fn fit(&self, documents: &[LogRatios]) -> Result<Regression, ParamError> {
        let eta = modes(documents);
        let gamma = self.mean(&eta);
        let residuals = &eta - multiply(&self.x, &gamma);
        let mut scatter = transpose_multiply(&residuals, &residuals);
        documents.iter().for_each(|document| scatter += &document.covariance);
        let mut weighted = gamma.clone();
        for (mut row, precision) in weighted.row_iter_mut().zip(&self.prior_precisions) {
            row *= *precision;
        }
        scatter += transpose_multiply(&gamma, &weighted);
        let covariance = scatter / (eta.nrows() + gamma.nrows()) as f64;
        let spread = Spread::new(covariance).ok_or_else(|| {
            ParamError::new(TYPE, "documents", eta.nrows() as f64, "enough for a covariance")
        })?;
        Ok(Regression { gamma, spread })
    }

    /// The log prior density of coefficients, up to a constant.
    pub(super) fn ln_prior(&self, regression: &Regression) -> f64 {
        let Regression { gamma, spread } = regression;
        let pulled = multiply(gamma, &spread.precision);
        let squares = gamma.row_iter().zip(pulled.row_iter()).zip(&self.prior_precisions);
        let squares: f64 = squares.map(|((row, pulled), precision)| precision * row.dot(&pulled)).sum();
        -0.5 * (squares + gamma.nrows() as f64 * spread.ln_determinant)
    }

    /// Draws of the coefficients over their posterior, the covariance held fixed: a Gibbs chain of
    /// coefficients and log-ratios, where a document's log-ratios given coefficients are its Gaussian moved
    /// by what the prior mean moved, `nu Sigma^-1 x (Gamma - Gamma_fit)`.
    ///
    /// Cost: draws x documents x topics².
    pub(super) fn draws<R: Rng + ?Sized>(
        &self,
        fitted: &Regression,
        documents: &[LogRatios],
        draws: usize,
        rng: &mut R,
    ) -> Vec<DMatrix<f64>> {
        let eta = modes(documents);
        let (count, size) = eta.shape();
        let roots: Vec<DMatrix<f64>> = documents.iter().map(|own| root(&own.covariance)).collect();
        let gains: Vec<DMatrix<f64>> =
            documents.iter().map(|own| multiply(&own.covariance, &fitted.spread.precision)).collect();
        let spread = root(&fitted.spread.covariance);
        let mut gamma = fitted.gamma.clone();
        let mut kept = Vec::with_capacity(draws);
        for step in 1..=WARM_UP + draws * THIN {
            let moved = multiply(&self.x, &(&gamma - &fitted.gamma));
            let mut drawn = eta.clone();
            for d in 0..count {
                let noise = DVector::from_fn(size, |_, _| StandardNormal.sample(rng));
                let own = &roots[d] * noise + &gains[d] * moved.row(d).transpose();
                drawn.row_mut(d).iter_mut().zip(own.iter()).for_each(|(eta, own)| *eta += own);
            }
            let noise = DMatrix::from_fn(self.x.ncols(), size, |_, _| StandardNormal.sample(rng));
            let noise = self.factor.half_solve_transpose(&multiply(&noise, &spread.transpose()));
            gamma = self.mean(&drawn) + noise;
            if step > WARM_UP && (step - WARM_UP).is_multiple_of(THIN) {
                kept.push(gamma.clone());
            }
        }
        kept
    }
}

/// Documents x (topics - 1).
fn modes(documents: &[LogRatios]) -> DMatrix<f64> {
    let size = documents.first().map_or(0, |own| own.mode.len());
    DMatrix::from_fn(documents.len(), size, |d, k| documents[d].mode[k])
}

/// The lower triangle whose product with its transpose is a covariance.
pub(super) fn root(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    let factor = Cholesky::new(covariance).map(Cholesky::into_factor);
    // Rounding may leave the smallest variances of a very sharp posterior below zero: they are zero then.
    factor.unwrap_or_else(|_| DMatrix::from_diagonal(&covariance.diagonal().map(|x| x.max(0.0).sqrt())))
}
