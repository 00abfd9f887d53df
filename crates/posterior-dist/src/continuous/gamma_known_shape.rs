//! Gamma distribution on (0, ∞) with a known shape, as a family of one parameter.

use posterior_math::special::{ln_gamma, poisson_deviance};

use super::Gamma;
use crate::delegate::delegate;
use crate::prelude::*;

/// The [`Gamma`] distribution as a likelihood of which only the rate is unknown: its statistic is x alone,
/// and its conjugate prior is the gamma distribution of the rate.
///
/// # Density
/// p(x) = bᵃ x^(a-1) e^(-bx) / Γ(a), with a fixed
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | a | `shape`, what the family holds fixed | positive |
/// | b | `rate` | positive |
///
/// # Example
/// ```
/// use posterior_dist::{ExponentialFamily, GammaKnownShape, Stats};
///
/// // Waiting times for two events.
/// let stats: Stats<GammaKnownShape> = Stats::of(2.0, &[1.0, 3.0])?;
/// assert_eq!(GammaKnownShape::maximum_likelihood(&stats)?.gamma().rate(), 1.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GammaKnownShape {
    gamma: Gamma,
}

impl GammaKnownShape {
    /// a = shape, which the family holds fixed, and b = rate.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, rate: f64) -> Result<Self, ParamError> {
        Ok(Self { gamma: Gamma::shape_rate(shape, rate)? })
    }

    /// The distribution itself, with all that can be asked of it.
    pub const fn gamma(&self) -> Gamma {
        self.gamma
    }
}
delegate!(GammaKnownShape, gamma: Density Moments Distribution);

impl KlDivergence for GammaKnownShape {
    /// +∞ for two shapes: a family is of one shape, and [`Gamma`] compares two.
    fn kl_divergence(&self, other: &Self) -> f64 {
        let shape = self.gamma.shape();
        if shape != other.gamma.shape() {
            return f64::INFINITY;
        }
        poisson_deviance(shape, shape * (other.gamma.rate() / self.gamma.rate()))
    }
}

impl ExponentialFamily for GammaKnownShape {
    /// The shape.
    type Fixed = f64;
    type Summary = Sums;

    fn fixed(&self) -> f64 {
        self.gamma.shape()
    }

    fn statistic_len(_: &f64) -> usize {
        1
    }

    fn check_point(_: &f64, &x: &f64) -> Result<(), ParamError> {
        check::positive("GammaKnownShape", "point", x).map(drop)
    }

    /// The statistic x.
    fn add_statistic(_: &f64, &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x;
    }

    /// The logarithm of the base measure (a - 1) ln x - ln Γ(a).
    fn ln_base(&shape: &f64, &x: &f64) -> f64 {
        (shape - 1.0) * x.ln() - ln_gamma(shape)
    }

    /// The log partition function -a ln(-w).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        -natural.fixed() * (-natural.as_slice()[0]).ln()
    }

    /// The natural parameter -b.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.gamma.shape(), vec![-self.gamma.rate()])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(*natural.fixed(), -natural.as_slice()[0])
    }

    /// The expectation of the statistic a/b.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.gamma.shape(), vec![self.gamma.shape() / self.gamma.rate()])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let shape = *expectation.fixed();
        Self::new(shape, shape / expectation.as_slice()[0])
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for GammaKnownShape {
    /// The Fisher information a/b².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.gamma.shape() / self.gamma.rate() / self.gamma.rate())
    }
}
