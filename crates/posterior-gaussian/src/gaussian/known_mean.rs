//! Gaussians that share a known mean: only the covariance is a parameter.

use posterior_math::linalg::Cholesky;
use posterior_math::special::LN_TAU;

use super::Gaussian;
use crate::packed;
use crate::prelude::*;

/// A [`Gaussian`] whose mean is known: the likelihood of an unknown precision or covariance, whose conjugate
/// priors are [`Wishart`](crate::Wishart) and [`InverseWishart`](crate::InverseWishart).
///
/// T(x) = -(x - μ)(x - μ)ᵀ / 2, w = Σ⁻¹, and ln Z(w) = (n ln 2π - ln |w|) / 2; of the matrices the lower
/// triangle is kept, column by column, with what is below the diagonal twice in the statistic. What is fixed
/// is the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianKnownMean {
    distribution: Gaussian,
}

impl GaussianKnownMean {
    /// The distribution with this mean and covariance.
    ///
    /// # Errors
    /// As [`Gaussian::new`].
    pub fn new(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, ParamError> {
        Ok(Self { distribution: Gaussian::new(mean, covariance)? })
    }

    /// The distribution as a Gaussian.
    pub const fn distribution(&self) -> &Gaussian {
        &self.distribution
    }

    /// The natural parameters with this Σ⁻¹.
    pub(crate) fn natural_of(mean: &[f64], precision: &DMatrix<f64>) -> Natural<Self> {
        Natural::of(mean.to_vec(), packed::triangle(precision).collect())
    }

    /// The matrix Σ w (x - μ)(x - μ)ᵀ whose statistic this is.
    pub(crate) fn scatter_of(mean: &[f64], statistic: &[f64]) -> DMatrix<f64> {
        packed::of_statistic(mean.len(), statistic)
    }
}

/// The distribution as the likelihood of its covariance.
impl From<Gaussian> for GaussianKnownMean {
    fn from(distribution: Gaussian) -> Self {
        Self { distribution }
    }
}

impl Density for GaussianKnownMean {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        self.distribution.ln_pdf(x)
    }
}

impl ExponentialFamily for GaussianKnownMean {
    /// The mean.
    type Fixed = Vec<f64>;
    /// Deviations from the known mean, which need no other center.
    type Summary = Sums;

    fn fixed(&self) -> Vec<f64> {
        self.distribution.mean().as_slice().to_vec()
    }

    fn statistic_len(mean: &Vec<f64>) -> usize {
        packed::length(mean.len())
    }

    fn check_point(mean: &Vec<f64>, x: &[f64]) -> Result<(), ParamError> {
        Gaussian::check_point(&mean.len(), x)
    }

    /// The statistic -(x - μ)(x - μ)ᵀ / 2.
    fn add_statistic(mean: &Vec<f64>, x: &[f64], weight: f64, sum: &mut [f64]) {
        for (total, (i, j)) in sum.iter_mut().zip(packed::places(mean.len())) {
            *total -= weight * packed::multiplicity((i, j)) * (x[i] - mean[i]) * (x[j] - mean[j]);
        }
    }

    /// The log partition function (n ln 2π - ln |w|) / 2.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let n = natural.fixed().len();
        Cholesky::decompose(packed::of_triangle(n, natural.as_slice()))
            .map_or(f64::NAN, |factor| 0.5 * (n as f64 * LN_TAU - factor.ln_determinant()))
    }

    /// The natural parameter Σ⁻¹.
    fn natural(&self) -> Natural<Self> {
        Self::natural_of(self.distribution.mean().as_slice(), &self.distribution.precision())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let precision = packed::of_triangle(natural.fixed().len(), natural.as_slice());
        Ok(Self { distribution: Gaussian::from_precision(natural.fixed(), &precision)? })
    }

    /// The expectation of the statistic -Σ / 2.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.fixed(), packed::statistic(self.distribution.covariance()).collect())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let mean = expectation.fixed();
        Self::new(mean, &Self::scatter_of(mean, expectation.as_slice()))
    }
}

impl FisherInformation for GaussianKnownMean {
    fn fisher_information(&self) -> DMatrix<f64> {
        packed::statistic_covariance(self.distribution.covariance())
    }
}

impl Distribution<Vec<f64>> for GaussianKnownMean {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        self.distribution.sample(rng)
    }
}
