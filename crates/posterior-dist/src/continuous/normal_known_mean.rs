//! Normal distribution on the real line, with a mean that the family holds fixed.

use posterior_math::special::HALF_LN_TAU;

use super::normal::Normal;
use crate::delegate::delegate;
use crate::prelude::*;

/// A normal distribution as a member of the family of one mean: a known centre and an unknown spread.
///
/// The distribution itself is [`normal`](Self::normal).
///
/// # Density
/// p(x) = exp(-(x - μ)²/(2σ²)) / (σ √(2π)): statistic (x - μ)², natural parameter -1/(2σ²), base measure 1
///
/// # Example
/// ```
/// use posterior_dist::{ExponentialFamily, NormalKnownMean, Stats};
///
/// let stats = Stats::of(1.0, &[1.2, 0.7, 2.1, 1.6])?;
/// let fitted = NormalKnownMean::maximum_likelihood(&stats)?;
/// assert!((fitted.variance() - 1.7 / 4.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalKnownMean {
    mean: f64,
    variance: f64,
    normal: Normal,
}

impl NormalKnownMean {
    /// The mean of the family, and σ².
    ///
    /// # Errors
    /// If the mean is not finite, or the variance not positive and finite.
    pub fn new(mean: f64, variance: f64) -> Result<Self, ParamError> {
        check::finite("NormalKnownMean", "mean", mean)?;
        check::positive("NormalKnownMean", "variance", variance)?;
        Ok(Self { mean, variance, normal: Normal::mean_variance(mean, variance)? })
    }

    /// The variance σ².
    pub const fn variance(&self) -> f64 {
        self.variance
    }

    /// The distribution, without its family.
    pub const fn normal(&self) -> Normal {
        self.normal
    }
}
delegate!(NormalKnownMean, normal: Density KlDivergence Distribution);

impl ExponentialFamily for NormalKnownMean {
    /// μ.
    type Fixed = f64;
    type Summary = Sums;

    fn fixed(&self) -> f64 {
        self.mean
    }

    fn statistic_len(_: &f64) -> usize {
        1
    }

    fn check_point(_: &f64, &x: &f64) -> Result<(), ParamError> {
        check::finite("NormalKnownMean", "point", x).map(drop)
    }

    /// The statistic (x - μ)².
    fn add_statistic(mean: &f64, &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * (x - mean) * (x - mean);
    }

    /// The log partition function -½ ln(-2w) + ½ ln 2π.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        HALF_LN_TAU - 0.5 * (-2.0 * natural.as_slice()[0]).ln()
    }

    /// The natural parameter -1/(2σ²).
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.mean, vec![-0.5 / self.variance])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(*natural.fixed(), -0.5 / natural.as_slice()[0])
    }

    /// The expectation of the statistic σ².
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.mean, vec![self.variance])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(*expectation.fixed(), expectation.as_slice()[0])
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for NormalKnownMean {
    /// The Fisher information 2σ⁴.
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, 2.0 * self.variance * self.variance)
    }
}
