//! Chi-squared distribution on (0, ∞).

use std::f64::consts::LN_2;

use posterior_math::special::{digamma, inverse_digamma, ln_gamma};

use super::Gamma;
use crate::delegate::delegate;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the sum of k squares of independent standard normal variables: the [`Gamma`]
/// distribution with shape k/2 and rate ½.
///
/// # Density
/// p(x) = x^(k/2 - 1) e^(-x/2) / (2^(k/2) Γ(k/2))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | k | `degrees_of_freedom` | positive, not only whole numbers | `df` (R, SciPy), `nu` (Stan) |
///
/// # Moments
/// mean k, variance 2k, skewness √(8/k), excess kurtosis 12/k, mode k - 2 for k ≥ 2
///
/// # Numerics
/// Those of [`Gamma`].
///
/// # Example
/// ```
/// use posterior_dist::{ChiSquared, Univariate};
///
/// let distribution = ChiSquared::new(1.0)?;
/// assert!((distribution.upper_quantile(0.05) - 1.959963984540054_f64.powi(2)).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquared {
    degrees_of_freedom: f64,
    gamma: Gamma,
}

impl ChiSquared {
    /// k = degrees of freedom, the degrees of freedom.
    ///
    /// # Errors
    /// If k is not positive and finite, or k/2 is not.
    pub fn new(degrees_of_freedom: f64) -> Result<Self, ParamError> {
        check::positive("ChiSquared", "degrees_of_freedom", degrees_of_freedom)?;
        Ok(Self { degrees_of_freedom, gamma: Gamma::shape_rate(0.5 * degrees_of_freedom, 0.5)? })
    }

    /// The same distribution as a [`Gamma`].
    pub const fn gamma(&self) -> Gamma {
        self.gamma
    }
}

parametric! { ChiSquared, "chi_squared", new:
    /// The degrees of freedom k.
    degrees_of_freedom: f64,
}
delegate!(ChiSquared, gamma: Density PointGradient Univariate Shape Entropy KlDivergence Distribution);

impl ParameterGradient for ChiSquared {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, x: &f64) -> [f64; 1] {
        [0.5 * self.gamma.parameter_gradient(x)[0]]
    }
}

impl Moments for ChiSquared {
    fn mean(&self) -> Option<f64> {
        Some(self.degrees_of_freedom)
    }

    fn variance(&self) -> Option<f64> {
        Some(2.0 * self.degrees_of_freedom)
    }
}

impl Mode for ChiSquared {
    /// `None` for k < 2, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        (self.degrees_of_freedom >= 2.0).then_some(self.degrees_of_freedom - 2.0)
    }
}

impl ExponentialFamily for ChiSquared {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("ChiSquared", "point", x).map(drop)
    }

    /// The statistic ln x.
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x.ln();
    }

    /// The logarithm of the base measure -x/2.
    fn ln_base((): &(), &x: &f64) -> f64 {
        -0.5 * x
    }

    /// The log partition function ln Γ(w + 1) + (w + 1) ln 2.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let shape = natural.as_slice()[0] + 1.0;
        if shape > 0.0 { ln_gamma(shape) + shape * LN_2 } else { f64::NAN }
    }

    /// The natural parameter k/2 - 1.
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![0.5 * self.degrees_of_freedom - 1.0])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(2.0 * (natural.as_slice()[0] + 1.0))
    }

    /// The expectation of the statistic ψ(k/2) + ln 2.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![digamma(0.5 * self.degrees_of_freedom) + LN_2])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(2.0 * inverse_digamma(expectation.as_slice()[0] - LN_2))
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for ChiSquared {
    /// The Fisher information ψ₁(k/2).
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, posterior_math::special::trigamma(0.5 * self.degrees_of_freedom))
    }
}
