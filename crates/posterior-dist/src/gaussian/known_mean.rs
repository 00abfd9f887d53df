//! Gaussians that share a known mean: only the covariance is a parameter.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix};
use rand::Rng;
use rand::distr::Distribution;

use super::family::{multiplicity, triangle};
use super::{Gaussian, LN_2_PI};
use crate::density::Density;
use crate::exponential_family::{Expectation, ExponentialFamily, Natural};
use crate::summary::Sums;

/// A [`Gaussian`] whose mean is known: the likelihood of an unknown precision or covariance, whose conjugate priors are
/// [`Wishart`](crate::Wishart) and [`InverseWishart`](crate::InverseWishart).
///
/// T(x) = -(x - μ)(x - μ)ᵀ / 2, w = Σ⁻¹, and ln Z(w) = (n ln 2π - ln |w|) / 2; of the matrices the lower triangle is kept, column
/// by column, with what is below the diagonal twice in the statistic. What is fixed is the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianKnownMean {
    law: Gaussian,
}

impl GaussianKnownMean {
    /// The law with this mean and covariance.
    ///
    /// # Errors
    /// As [`Gaussian::new`].
    pub fn new(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, ParamError> {
        Ok(Self { law: Gaussian::new(mean, covariance)? })
    }

    /// The law as a Gaussian.
    pub const fn law(&self) -> &Gaussian {
        &self.law
    }

    /// The natural parameters with this Σ⁻¹.
    pub(crate) fn natural_of(mean: &[f64], precision: &DMatrix<f64>) -> Natural<Self> {
        Natural::of(mean.to_vec(), triangle(mean.len()).map(|place| precision[place]).collect())
    }

    /// The matrix Σ w (x - μ)(x - μ)ᵀ whose statistic this is.
    pub(crate) fn scatter_of(mean: &[f64], statistic: &[f64]) -> DMatrix<f64> {
        unpack(mean.len(), statistic, |i, j| -multiplicity(i, j))
    }
}

/// The law as the likelihood of its covariance.
impl From<Gaussian> for GaussianKnownMean {
    fn from(law: Gaussian) -> Self {
        Self { law }
    }
}

impl Density for GaussianKnownMean {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        self.law.ln_pdf(x)
    }
}

impl ExponentialFamily for GaussianKnownMean {
    /// The mean.
    type Fixed = Vec<f64>;
    /// Deviations from the known mean, which need no other center.
    type Summary = Sums;

    fn fixed(&self) -> Vec<f64> {
        self.law.mean().as_slice().to_vec()
    }

    fn statistic_len(mean: &Vec<f64>) -> usize {
        mean.len() * (mean.len() + 1) / 2
    }

    fn check_point(mean: &Vec<f64>, x: &[f64]) -> Result<(), ParamError> {
        Gaussian::check_point(&mean.len(), x)
    }

    /// -(x - μ)(x - μ)ᵀ / 2.
    fn add_statistic(mean: &Vec<f64>, x: &[f64], weight: f64, sum: &mut [f64]) {
        for (total, (i, j)) in sum.iter_mut().zip(triangle(mean.len())) {
            *total -= weight * multiplicity(i, j) * (x[i] - mean[i]) * (x[j] - mean[j]);
        }
    }

    fn ln_base(_: &Vec<f64>, _: &[f64]) -> f64 {
        0.0
    }

    /// (n ln 2π - ln |w|) / 2.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let n = natural.fixed().len();
        Cholesky::decompose(unpack(n, natural.as_slice(), |_, _| 1.0))
            .map_or(f64::NAN, |factor| 0.5 * (n as f64 * LN_2_PI - factor.ln_determinant()))
    }

    /// Σ⁻¹.
    fn natural(&self) -> Natural<Self> {
        Self::natural_of(self.law.mean().as_slice(), &self.law.precision())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let precision = unpack(natural.fixed().len(), natural.as_slice(), |_, _| 1.0);
        Ok(Self { law: Gaussian::from_precision(natural.fixed(), &precision)? })
    }

    /// -Σ / 2.
    fn expectation(&self) -> Expectation<Self> {
        let entry = |(i, j)| -multiplicity(i, j) * self.law.covariance()[(i, j)];
        Expectation::of(self.fixed(), triangle(self.law.dimension()).map(entry).collect())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let mean = expectation.fixed();
        Self::new(mean, &Self::scatter_of(mean, expectation.as_slice()))
    }

    fn fisher_information(&self) -> DMatrix<f64> {
        let covariance = self.law.covariance();
        let pairs: Vec<(usize, usize)> = triangle(covariance.nrows()).collect();
        let entry = |row: usize, column: usize| {
            let ((i, j), (k, l)) = (pairs[row], pairs[column]);
            let pairings = covariance[(i, k)] * covariance[(j, l)] + covariance[(i, l)] * covariance[(j, k)];
            multiplicity(i, j) * multiplicity(k, l) * pairings
        };
        DMatrix::from_fn(pairs.len(), pairs.len(), entry)
    }
}

/// The symmetric matrix whose lower triangle, multiplied by factors, was packed.
fn unpack(dimension: usize, packed: &[f64], factor: impl Fn(usize, usize) -> f64) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(dimension, dimension);
    for ((i, j), &entry) in triangle(dimension).zip(packed) {
        let entry = entry / factor(i, j);
        (matrix[(i, j)], matrix[(j, i)]) = (entry, entry);
    }
    matrix
}

impl Distribution<Vec<f64>> for GaussianKnownMean {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        self.law.sample(rng)
    }
}
