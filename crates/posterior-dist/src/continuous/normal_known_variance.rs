//! Normal distribution on the real line, with a variance that the family holds fixed.

use posterior_math::special::HALF_LN_TAU;
use posterior_math::streaming::MeanVariance;

use super::normal::{ByMoments, Normal};
use crate::delegate::delegate;
use crate::prelude::*;

/// A normal distribution as a member of the family of one variance: what measurements with a known error are
/// drawn from.
///
/// The conjugate prior of its mean is [`Normal`], and the distribution itself is [`normal`](Self::normal).
///
/// # Density
/// p(x) = exp(-(x - μ)²/(2σ²)) / (σ √(2π)): statistic x, natural parameter μ/σ², base measure the normal
/// density at mean 0
///
/// # Example
/// ```
/// use posterior_dist::{Conjugate, Normal, NormalKnownVariance, Stats};
///
/// let prior = Normal::mean_variance(0.0, 4.0)?;
/// let posterior = NormalKnownVariance::posterior(&prior, &Stats::of(1.0, &[3.0])?)?;
/// assert_eq!(posterior, Normal::mean_variance(2.4, 0.8)?);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalKnownVariance {
    mean: f64,
    variance: f64,
    normal: Normal,
}

impl NormalKnownVariance {
    /// μ, and the variance of the family.
    ///
    /// # Errors
    /// If the mean is not finite, or the variance not positive and finite.
    pub fn new(mean: f64, variance: f64) -> Result<Self, ParamError> {
        check::finite("NormalKnownVariance", "mean", mean)?;
        check::positive("NormalKnownVariance", "variance", variance)?;
        Ok(Self { mean, variance, normal: Normal::mean_variance(mean, variance)? })
    }

    /// The distribution, without its family.
    pub const fn normal(&self) -> Normal {
        self.normal
    }
}
delegate!(NormalKnownVariance, normal: Density KlDivergence Distribution);

impl ExponentialFamily for NormalKnownVariance {
    /// σ².
    type Fixed = f64;
    type Summary = MeanVariance;

    fn fixed(&self) -> f64 {
        self.variance
    }

    fn statistic_len(_: &f64) -> usize {
        1
    }

    fn check_point(_: &f64, &x: &f64) -> Result<(), ParamError> {
        check::finite("NormalKnownVariance", "point", x).map(drop)
    }

    /// The statistic x.
    fn add_statistic(_: &f64, &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x;
    }

    /// The logarithm of the base measure -x²/(2σ²) - ½ ln 2πσ².
    fn ln_base(variance: &f64, &x: &f64) -> f64 {
        -0.5 * x * (x / variance) - 0.5 * variance.ln() - HALF_LN_TAU
    }

    /// The log partition function ½ w² σ².
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let w = natural.as_slice()[0];
        0.5 * w * (w * natural.fixed())
    }

    /// The natural parameter μ/σ².
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.variance, vec![self.mean / self.variance])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(natural.as_slice()[0] * natural.fixed(), *natural.fixed())
    }

    /// The expectation of the statistic μ.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.variance, vec![self.mean])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0], *expectation.fixed())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for NormalKnownVariance {
    /// The Fisher information σ².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.variance)
    }
}

/// With the squares about the mean, of which the evidence is made.
impl ByMoments for NormalKnownVariance {}
