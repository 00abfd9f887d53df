//! What is known of the outputs of a network, and what follows for observations.

use std::f64::consts::{FRAC_PI_8, TAU};

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen};
use posterior_math::log_space::{ln_sum_exp, logistic};
use posterior_math::quadrature::GaussHermite;
use posterior_math::special::ln_factorial;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::head::softmax_of_rows;
use super::{Head, Observations};
use crate::Error;

/// Nodes for averages over the rate of counts.
const NODES: usize = 60;

/// Gaussian laws of the outputs of a network, one for each row of inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Latent {
    mean: DMatrix<f64>,
    /// A column for each row of inputs: its covariance matrix.
    covariances: DMatrix<f64>,
    head: Head,
    noise_variance: f64,
}

/// E[σ(f)] for f ~ N(mean, variance), by MacKay's approximation σ(m / √(1 + π v / 8)): within 0.0151.
///
/// ```
/// use posterior_regression::network::averaged_logistic;
///
/// assert!((averaged_logistic(1.0, 2.0) - 0.678829471102).abs() < 1e-12);
/// ```
///
/// # References
/// D. MacKay, The evidence framework applied to classification networks, Neural Computation 4, 1992.
pub fn averaged_logistic(mean: f64, variance: f64) -> f64 {
    logistic(mean / (1.0 + FRAC_PI_8 * variance).sqrt())
}

impl Latent {
    pub(super) const fn new(
        mean: DMatrix<f64>,
        covariances: DMatrix<f64>,
        head: Head,
        noise_variance: f64,
    ) -> Self {
        Self { mean, covariances, head, noise_variance }
    }

    /// The means: a row for each row of inputs, a column for each output.
    pub const fn mean(&self) -> &DMatrix<f64> {
        &self.mean
    }

    /// The variances, in the shape of the means.
    pub fn variance(&self) -> DMatrix<f64> {
        let outputs = self.mean.ncols();
        DMatrix::from_fn(self.mean.nrows(), outputs, |i, output| {
            self.covariances[(output * (outputs + 1), i)]
        })
    }

    /// The covariance matrix of the outputs at a row of inputs.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn covariance(&self, row: usize) -> DMatrix<f64> {
        let outputs = self.mean.ncols();
        DMatrix::from_column_slice(outputs, outputs, self.covariances.column(row).as_slice())
    }

    /// E y at each row of inputs. Exact for Gaussian noise (the mean) and counts (exp(m + v/2)); for two classes MacKay's
    /// approximation ([`averaged_logistic`]), and for more its extension, the softmax of m_c / √(1 + π v_c / 8).
    ///
    /// # References
    /// M. N. Gibbs, Bayesian Gaussian processes for regression and classification, PhD thesis, Cambridge 1997, for more than two.
    pub fn response(&self) -> DMatrix<f64> {
        let variance = self.variance();
        match self.head {
            Head::Gaussian => self.mean.clone(),
            Head::Bernoulli => self.mean.zip_map(&variance, averaged_logistic),
            Head::Categorical => {
                softmax_of_rows(&self.mean.zip_map(&variance, |m, v| m / (1.0 + FRAC_PI_8 * v).sqrt())).0
            }
            Head::Poisson => self.mean.zip_map(&variance, |m, v| (m + 0.5 * v).exp()),
        }
    }

    /// E y at each row of inputs as the mean over draws of the outputs.
    ///
    /// # Errors
    /// No draws, or covariances that are not finite.
    pub fn response_by_draws<R: Rng + ?Sized>(
        &self,
        draws: usize,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        if draws == 0 {
            return Err(ParamError::new("Latent", "draws", 0.0, "at least one").into());
        }
        let (rows, outputs) = self.mean.shape();
        let mut response = DMatrix::zeros(rows, outputs);
        for i in 0..rows {
            // Some combinations of outputs may be certain.
            let root =
                SymmetricEigen::new(&self.covariance(i))?.function_of_matrix(|value| value.max(0.0).sqrt());
            let noise = DMatrix::from_fn(outputs, draws, |_, _| rng.sample::<f64, _>(StandardNormal));
            let mut drawn = (root * noise).transpose();
            for (output, mut column) in drawn.column_iter_mut().enumerate() {
                column.add_scalar_mut(self.mean[(i, output)]);
            }
            response.row_mut(i).copy_from(&self.head.response(&drawn).row_mean());
        }
        Ok(response)
    }

    /// The variances of new observations with Gaussian noise: those of the outputs, and the noise; of the other kinds, those of
    /// the outputs alone.
    pub fn variance_with_noise(&self) -> DMatrix<f64> {
        let noise = if self.head == Head::Gaussian { self.noise_variance } else { 0.0 };
        self.variance().add_scalar(noise)
    }

    /// The logarithms of the predictive density of each observation, which are at the inputs of the laws. Classes by
    /// [`response`](Self::response), counts by quadrature.
    ///
    /// # Errors
    /// Observations of another kind or number, or a covariance that is not positive definite with the noise.
    pub fn ln_predictive(&self, observations: &Observations) -> Result<Vec<f64>, Error> {
        let (targets, (expected, outputs)) = (observations.targets(), self.mean.shape());
        for (what, expected, found) in [
            ("observations", expected, targets.nrows()),
            ("columns of the responses", outputs, targets.ncols()),
        ] {
            if expected != found {
                return Err(Error::Dimension { what, expected, found });
            }
        }
        if observations.head() != self.head {
            return Err(
                ParamError::new("Latent", "kind of observations", f64::NAN, "that of the network").into()
            );
        }
        match self.head {
            Head::Gaussian => (0..targets.nrows()).map(|i| self.ln_normal(i, targets)).collect(),
            Head::Bernoulli => {
                let scaled = self.mean.zip_map(&self.variance(), |m, v| m / (1.0 + FRAC_PI_8 * v).sqrt());
                Ok(rows_of_ln_likelihood(Head::Bernoulli, &scaled, targets))
            }
            Head::Categorical => {
                let scaled = self.mean.zip_map(&self.variance(), |m, v| m / (1.0 + FRAC_PI_8 * v).sqrt());
                Ok(rows_of_ln_likelihood(Head::Categorical, &scaled, targets))
            }
            Head::Poisson => self.ln_counts(targets),
        }
    }

    fn ln_normal(&self, row: usize, targets: &DMatrix<f64>) -> Result<f64, Error> {
        let mut covariance = self.covariance(row);
        for output in 0..covariance.nrows() {
            covariance[(output, output)] += self.noise_variance;
        }
        let factor = Cholesky::new(&covariance)?;
        let residual =
            DVector::from_iterator(factor.size(), (targets.row(row) - self.mean.row(row)).iter().copied());
        let constant = factor.size() as f64 * TAU.ln() + factor.ln_determinant();
        Ok(-0.5 * (factor.quadratic_form(&residual) + constant))
    }

    fn ln_counts(&self, targets: &DMatrix<f64>) -> Result<Vec<f64>, Error> {
        let rule = GaussHermite::new(NODES)?;
        let variance = self.variance();
        let ln_predictive = |i: usize| {
            let (y, deviation) = (targets[(i, 0)], variance[(i, 0)].sqrt());
            let terms: Vec<f64> = rule
                .nodes()
                .iter()
                .zip(rule.weights())
                .map(|(node, weight)| {
                    let f = self.mean[(i, 0)] + deviation * node;
                    weight.ln() + y * f - f.exp()
                })
                .collect();
            ln_sum_exp(&terms) - ln_factorial(y as u64)
        };
        Ok((0..targets.nrows()).map(ln_predictive).collect())
    }
}

/// ln p(y | f) of each row.
fn rows_of_ln_likelihood(head: Head, outputs: &DMatrix<f64>, targets: &DMatrix<f64>) -> Vec<f64> {
    let of_row = |i: usize| {
        head.ln_likelihood(&outputs.rows(i, 1).into_owned(), &targets.rows(i, 1).into_owned(), 1.0).0
    };
    (0..targets.nrows()).map(of_row).collect()
}
