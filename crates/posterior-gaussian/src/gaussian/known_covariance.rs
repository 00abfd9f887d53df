//! Gaussians that share a known covariance: only the mean is a parameter.

use posterior_math::linalg::DVector;
use posterior_math::streaming::StreamingCovariance;

use super::Gaussian;
use crate::matrix_check;
use crate::prelude::*;

/// A [`Gaussian`] whose covariance is known: the likelihood of an unknown mean, whose conjugate prior is a
/// Gaussian.
///
/// T(x) = x, w = Σ⁻¹ μ, ln Z(w) = wᵀ Σ w / 2, and h(x) = N(x; 0, Σ). What is fixed is the noise N(0, Σ).
///
/// # Example
/// ```
/// use posterior_dist::{Conjugate, Stats};
/// use posterior_gaussian::{Gaussian, GaussianKnownCovariance};
///
/// let (noise, prior) = (Gaussian::standard(2), Gaussian::standard(2));
/// let data = Stats::<GaussianKnownCovariance>::of(noise, [[3.0, 0.0], [0.0, 3.0]].iter().map(|x| &x[..]))?;
/// let posterior = GaussianKnownCovariance::posterior(&prior, &data)?;
/// assert!((posterior.mean()[0] - 1.0).abs() < 1e-15);
/// assert!((posterior.covariance()[(0, 0)] - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianKnownCovariance {
    distribution: Gaussian,
}

impl GaussianKnownCovariance {
    /// The distribution with this mean and the covariance of `noise`.
    ///
    /// # Errors
    /// If the mean has another dimension, or is not finite.
    pub fn new(mean: &[f64], noise: &Gaussian) -> Result<Self, ParamError> {
        matrix_check::length("GaussianKnownCovariance", "mean", mean.len(), noise.dimension())?;
        matrix_check::finite("GaussianKnownCovariance", "mean", mean)?;
        Ok(Self { distribution: noise.moved_to(DVector::from_column_slice(mean)) })
    }

    /// The distribution as a Gaussian.
    pub const fn distribution(&self) -> &Gaussian {
        &self.distribution
    }
}

impl Density for GaussianKnownCovariance {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        self.distribution.ln_pdf(x)
    }
}

impl ExponentialFamily for GaussianKnownCovariance {
    /// N(0, Σ); of another Gaussian, its covariance counts.
    type Fixed = Gaussian;
    type Summary = StreamingCovariance;

    fn fixed(&self) -> Gaussian {
        self.distribution.moved_to(DVector::zeros(self.distribution.dimension()))
    }

    fn statistic_len(noise: &Gaussian) -> usize {
        noise.dimension()
    }

    fn check_point(noise: &Gaussian, x: &[f64]) -> Result<(), ParamError> {
        Gaussian::check_point(&noise.dimension(), x)
    }

    /// The statistic x.
    fn add_statistic(_: &Gaussian, x: &[f64], weight: f64, sum: &mut [f64]) {
        for (total, x) in sum.iter_mut().zip(x) {
            *total += weight * x;
        }
    }

    /// The logarithm of the base measure ln N(x; 0, Σ).
    fn ln_base(noise: &Gaussian, x: &[f64]) -> f64 {
        let deviation: Vec<f64> = x.iter().zip(noise.mean().iter()).map(|(x, mean)| x + mean).collect();
        noise.ln_pdf(&deviation)
    }

    /// The log partition function wᵀ Σ w / 2.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let w = DVector::from_column_slice(natural.as_slice());
        0.5 * natural.fixed().cholesky().factor().tr_mul(&w).norm_squared()
    }

    /// The natural parameter Σ⁻¹ μ.
    fn natural(&self) -> Natural<Self> {
        let w = self.distribution.cholesky().solve_vector(self.distribution.mean());
        Natural::of(self.fixed(), w.as_slice().to_vec())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let w = DVector::from_column_slice(natural.as_slice());
        Self::new((natural.fixed().covariance() * w).as_slice(), natural.fixed())
    }

    /// The expectation of the statistic μ.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.fixed(), self.distribution.mean().as_slice().to_vec())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice(), expectation.fixed())
    }
}

impl FisherInformation for GaussianKnownCovariance {
    /// The Fisher information Σ.
    fn fisher_information(&self) -> DMatrix<f64> {
        self.distribution.covariance().clone()
    }
}

impl Summary<GaussianKnownCovariance> for StreamingCovariance {
    fn empty(noise: &Gaussian) -> Self {
        Self::new(noise.dimension())
    }

    fn add(&mut self, noise: &Gaussian, x: &[f64], weight: f64) {
        <Self as Summary<Gaussian>>::add(self, &noise.dimension(), x, weight);
    }

    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }

    fn scale(&mut self, factor: f64) {
        Self::scale(self, factor);
    }

    fn weight(&self) -> f64 {
        Self::weight(self)
    }

    fn total(&self, _: &Gaussian) -> Vec<f64> {
        let weight = Self::weight(self);
        let sum = |mean: &f64| if weight == 0.0 { 0.0 } else { weight * mean };
        self.mean().iter().map(sum).collect()
    }
}

impl Distribution<Vec<f64>> for GaussianKnownCovariance {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        self.distribution.sample(rng)
    }
}
