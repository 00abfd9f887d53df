//! Exponential distribution on [0, ∞).

use posterior_math::log_space::ln_1m_exp;

use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the waiting time for an event that comes at a constant rate.
///
/// # Density
/// p(x) = λ e^(-λx)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | λ | `rate` | positive | `rate` (R), 1 / `scale` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean 1/λ, variance 1/λ², skewness 2, excess kurtosis 6, mode 0, entropy 1 - ln λ
///
/// # Example
/// ```
/// use posterior_dist::{Exponential, Univariate};
///
/// let wait = Exponential::new(0.5)?;
/// assert!((wait.sf(2.0) - (-1.0_f64).exp()).abs() < 1e-15);
/// assert_eq!(wait.to_string(), "exponential(0.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    rate: f64,
}

impl Exponential {
    /// λ = rate.
    ///
    /// # Errors
    /// If the rate is not positive and finite.
    pub fn new(rate: f64) -> Result<Self, ParamError> {
        Ok(Self { rate: check::positive("Exponential", "rate", rate)? })
    }
}

parametric! { Exponential, "exponential", new:
    /// The rate λ.
    rate: f64,
}

impl Density for Exponential {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 { f64::NEG_INFINITY } else { self.rate.ln() - self.rate * x }
    }
}

impl PointGradient for Exponential {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { -self.rate } else { f64::NAN }
    }
}

impl ParameterGradient for Exponential {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 1] {
        [if x >= 0.0 { self.rate.recip() - x } else { f64::NAN }]
    }
}

impl Univariate for Exponential {
    fn cdf(&self, x: f64) -> f64 {
        if x < 0.0 { 0.0 } else { -(-self.rate * x).exp_m1() }
    }

    fn sf(&self, x: f64) -> f64 {
        if x < 0.0 { 1.0 } else { (-self.rate * x).exp() }
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { -(-p).ln_1p() / self.rate } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { 0.0 - q.ln() / self.rate } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let product = self.rate * x;
        if x <= 0.0 {
            f64::NEG_INFINITY
        } else if product < f64::MIN_POSITIVE {
            self.rate.ln() + x.ln()
        } else {
            ln_1m_exp(-product)
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x < 0.0 { 0.0 } else { 0.0 - self.rate * x }
    }
}

impl Moments for Exponential {
    fn mean(&self) -> Option<f64> {
        Some(self.rate.recip())
    }

    fn variance(&self) -> Option<f64> {
        Some(self.rate.recip() / self.rate)
    }
}

impl Shape for Exponential {
    fn skewness(&self) -> Option<f64> {
        Some(2.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(6.0)
    }
}

impl Entropy for Exponential {
    fn entropy(&self) -> f64 {
        1.0 - self.rate.ln()
    }
}

impl Mode for Exponential {
    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl KlDivergence for Exponential {
    fn kl_divergence(&self, other: &Self) -> f64 {
        let excess = (other.rate - self.rate) / self.rate;
        excess - excess.ln_1p()
    }
}

impl ExponentialFamily for Exponential {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::non_negative("Exponential", "point", x).map(drop)
    }

    /// The statistic x.
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x;
    }

    /// The log partition function -ln(-w).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        -(-natural.as_slice()[0]).ln()
    }

    /// The natural parameter -λ.
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![-self.rate])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(-natural.as_slice()[0])
    }

    /// The expectation of the statistic 1/λ.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.rate.recip()])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0].recip())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Exponential {
    /// The Fisher information 1/λ².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.rate.powi(-2))
    }
}

impl Distribution<f64> for Exponential {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        standard / self.rate
    }
}
