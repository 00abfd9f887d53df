//! What is known of the outputs of a network, and what follows for observations.

mod classes;
mod mixture;

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, SymmetricEigen};
use posterior_math::log_space::{ln_sum_exp, logistic};
use posterior_math::quadrature::GaussHermite;
use posterior_math::special::ln_factorial;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use self::classes::{Contrasts, Points, ln_averaged_logistic};
pub(super) use self::mixture::quantiles_of_mixture;
use super::{Head, NetworkData};
use crate::Error;

/// Nodes for averages over the rate of counts.
const NODES: usize = 60;

/// Gaussian distributions of the outputs of a network, one for each row of inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkOutputs {
    mean: DMatrix<f64>,
    /// A column for each row of inputs: its covariance matrix.
    covariances: DMatrix<f64>,
    /// The same of the outputs less their mean over the classes; no rows unless there are classes.
    contrasts: DMatrix<f64>,
    head: Head,
    noise_variance: f64,
}

/// E[σ(f)] for f ~ N(mean, variance), by adaptive quadrature of the smaller of the two probabilities: both
/// have about 10 digits, also in the far tails and for a wide distribution, of which the logistic function
/// sees a step. Costs some hundred evaluations of it.
///
/// NaN unless the mean is finite, and the variance at least 0 and finite.
///
/// ```
/// use posterior_regression::network::averaged_logistic;
///
/// assert!((averaged_logistic(1.0, 2.0) - 0.675056702338).abs() < 1e-11);
/// ```
pub fn averaged_logistic(mean: f64, variance: f64) -> f64 {
    if variance == 0.0 {
        logistic(mean)
    } else if mean > 0.0 {
        1.0 - ln_averaged_logistic(-mean, variance).exp()
    } else {
        ln_averaged_logistic(mean, variance).exp()
    }
}

impl NetworkOutputs {
    pub(super) const fn new(
        mean: DMatrix<f64>,
        covariances: DMatrix<f64>,
        contrasts: DMatrix<f64>,
        head: Head,
        noise_variance: f64,
    ) -> Self {
        Self { mean, covariances, contrasts, head, noise_variance }
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

    /// E y at each row of inputs. Exact for Gaussian noise (the mean) and counts (exp(m + v/2)); of two
    /// classes by quadrature, to about 10 digits.
    ///
    /// Of K > 2 classes, E softmax(f) over what is not known of the differences between the outputs; the
    /// constant that is common to all of them, which no observation determines, does not enter. By 16,384
    /// points of a scrambled Sobol net for three classes, 8,192 for four and 4,096 for more, always the same
    /// ones, moved to where each class is most probable. The largest error of a probability seen over random
    /// problems with precisions of the prior from 10 to 10⁻⁴ was 5·10⁻⁵ for three classes, 4·10⁻⁴ for four
    /// and 4·10⁻³ for ten, most are a tenth of that; probabilities near 0 have small relative errors. The
    /// probabilities of a row add up to 1. NaN where the outputs have no finite mean and variance.
    ///
    /// # Cost
    /// Each row takes K² exponentials for each point: about 1 ms for three to six classes, 3 ms for ten.
    pub fn response(&self) -> DMatrix<f64> {
        let variance = self.variance();
        match self.head {
            Head::Gaussian => self.mean.clone(),
            Head::Bernoulli => self.mean.zip_map(&variance, averaged_logistic),
            Head::Categorical => self.ln_probabilities().map(f64::exp),
            Head::Poisson => self.mean.zip_map(&variance, |m, v| (m + 0.5 * v).exp()),
        }
    }

    /// ln E softmax(f) at each row.
    fn ln_probabilities(&self) -> DMatrix<f64> {
        let (rows, classes) = self.mean.shape();
        let points = Points::new(classes);
        let mut all = DMatrix::from_element(rows, classes, f64::NAN);
        for row in 0..rows {
            if let Some(own) = self.contrasts(row) {
                let own = own.ln_average(&points);
                all.row_mut(row).iter_mut().zip(own).for_each(|(place, value)| *place = value);
            }
        }
        all
    }

    fn contrasts(&self, row: usize) -> Option<Contrasts> {
        let classes = self.mean.ncols();
        let covariance = DMatrix::from_column_slice(classes, classes, self.contrasts.column(row).as_slice());
        Contrasts::new(self.mean.row(row).transpose(), &covariance)
    }

    /// The quantiles of E[y | f] at each row of inputs, for each of these levels: of what is not known of a
    /// mean, a rate or a probability, not of a new observation. In the shape of the means; each class by
    /// itself.
    ///
    /// To 12 digits, but for three or more classes, where they are those of the points of
    /// [`response`](Self::response), unmoved. NaN where that is.
    ///
    /// # Errors
    /// A level that is not strictly between 0 and 1.
    pub fn response_quantiles(&self, levels: &[f64]) -> Result<Vec<DMatrix<f64>>, Error> {
        quantiles_of_mixture(&[(1.0, self)], levels)
    }

    /// Of two classes by two outputs the distribution of the first output less the second, as of a network
    /// with one output.
    fn difference(&self) -> Self {
        let contrasts =
            |i: usize| self.contrasts[(0, i)] + self.contrasts[(3, i)] - 2.0 * self.contrasts[(1, i)];
        Self {
            mean: self.mean.columns(0, 1) - self.mean.columns(1, 1),
            covariances: DMatrix::from_fn(1, self.mean.nrows(), |_, i| contrasts(i)),
            contrasts: DMatrix::zeros(0, self.mean.nrows()),
            head: Head::Bernoulli,
            noise_variance: self.noise_variance,
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

    /// The variances of new observations with Gaussian noise: those of the outputs, and the noise; of the
    /// other kinds, those of the outputs alone.
    pub fn variance_with_noise(&self) -> DMatrix<f64> {
        let noise = if self.head == Head::Gaussian { self.noise_variance } else { 0.0 };
        self.variance().add_scalar(noise)
    }

    /// The logarithms of the predictive density of each observation, which are at the inputs of the
    /// distributions. Of classes the logarithms of the averages that [`response`](Self::response) gives,
    /// found as logarithms: they are finite where a probability would be 0. Counts by quadrature.
    ///
    /// # Errors
    /// Observations of another kind or number, or a covariance that is not positive definite with the noise.
    pub fn ln_predictive(&self, observations: &NetworkData) -> Result<Vec<f64>, Error> {
        let (targets, (expected, outputs)) = (observations.targets(), self.mean.shape());
        for (what, expected, found) in [
            ("observations", expected, targets.nrows()),
            ("columns of the responses", outputs, targets.ncols()),
        ] {
            check::dimension(what, expected, found)?;
        }
        if observations.head() != self.head {
            return Err(
                ParamError::new("Latent", "kind of observations", f64::NAN, "that of the network").into()
            );
        }
        match self.head {
            Head::Gaussian => (0..targets.nrows()).map(|i| self.ln_normal(i, targets)).collect(),
            Head::Bernoulli => {
                let variance = self.variance();
                let of_row = |i: usize| {
                    let sign = if targets[(i, 0)] > 0.0 { 1.0 } else { -1.0 };
                    ln_averaged_logistic(sign * self.mean[(i, 0)], variance[(i, 0)])
                };
                Ok((0..targets.nrows()).map(of_row).collect())
            }
            Head::Categorical => {
                let ln_probabilities = self.ln_probabilities();
                let of_row = |i: usize| ln_probabilities[(i, targets.row(i).transpose().imax())];
                Ok((0..targets.nrows()).map(of_row).collect())
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
