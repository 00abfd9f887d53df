//! Geometric distribution on {0, 1, 2, …}.

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::poisson_deviance;

use super::steps::{least_count, stepwise};
use crate::grammar::parametric;
use crate::moments::weighted;
use crate::prelude::*;

/// The distribution of the number of failures before the first success in trials that succeed with
/// probability p.
///
/// # Density
/// P(k) = p (1 - p)ᵏ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | p | `probability` | (0, 1] | `prob` (R), `p` (SciPy, whose `geom` counts the success too) |
///
/// # Moments
/// mean (1 - p)/p, variance (1 - p)/p², skewness (2 - p)/√(1 - p), excess kurtosis 6 + p²/(1 - p), mode 0,
/// entropy -(p ln p + (1 - p) ln(1 - p))/p
///
/// # Numerics
/// All is in closed form from ln(1 - p). A draw is the whole part of an exponential one; it is 2⁶⁴ - 1 where
/// it would not fit in 64 bits.
///
/// # Example
/// ```
/// use posterior_dist::{Geometric, Univariate};
///
/// let failures = Geometric::new(0.25)?;
/// assert!((failures.sf(1.0) - 0.5625).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometric {
    success: f64,
    failure: f64,
    ln_failure: f64,
}

impl Geometric {
    /// Success with probability p.
    ///
    /// # Errors
    /// If p is not in (0, 1].
    pub fn new(probability: f64) -> Result<Self, ParamError> {
        let p = check_success("Geometric", probability)?;
        Ok(Self { success: p, failure: 1.0 - p, ln_failure: (-p).ln_1p() })
    }

    /// 1 - p by its logarithm.
    pub(crate) fn from_ln_failure(ln_failure: f64) -> Result<Self, ParamError> {
        let success = check_success("Geometric", -ln_failure.exp_m1())?;
        Ok(Self { success, failure: ln_failure.exp(), ln_failure })
    }

    /// The probability of success p.
    pub const fn probability(&self) -> f64 {
        self.success
    }

    /// The probability of failure, 1 - p.
    pub const fn failure(&self) -> f64 {
        self.failure
    }
}

/// A probability that is not zero.
pub(super) fn check_success(type_name: &'static str, success: f64) -> Result<f64, ParamError> {
    let inside = success > 0.0 && success <= 1.0;
    check::require(inside, type_name, "probability", success, "in (0, 1]")
}

parametric!(Geometric, "geometric", new(probability));

impl Density for Geometric {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        self.success.ln() + weighted(k as f64, self.ln_failure)
    }
}

impl ParameterGradient for Geometric {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &k: &u64) -> [f64; 1] {
        let failures = match (k, self.failure) {
            (0, _) => 0.0,
            (_, 0.0) => f64::NAN,
            (k, failure) => k as f64 / failure,
        };
        [self.success.recip() - failures]
    }
}

impl Univariate for Geometric {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| -((k + 1.0) * self.ln_failure).exp_m1())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| ((k + 1.0) * self.ln_failure).exp())
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.at((-p).ln_1p(), |k| self.cdf(k) >= p) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { self.at(q.ln(), |k| self.sf(k) <= q) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| ln_1m_exp((k + 1.0) * self.ln_failure))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| (k + 1.0) * self.ln_failure)
    }
}

impl Geometric {
    /// The least count that has been `reached`, next to the one where ln P(X > k) is `ln_sf`.
    fn at(&self, ln_sf: f64, reached: impl Fn(f64) -> bool) -> f64 {
        if self.failure == 0.0 || ln_sf == 0.0 {
            return 0.0;
        }
        let guess = (ln_sf / self.ln_failure).ceil() - 1.0;
        if ln_sf == f64::NEG_INFINITY {
            f64::INFINITY
        } else {
            least_count(guess, [0.0, f64::INFINITY], reached)
        }
    }
}

impl Moments for Geometric {
    fn mean(&self) -> Option<f64> {
        Some(self.failure / self.success)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.failure / self.success / self.success)
    }
}

impl Shape for Geometric {
    fn skewness(&self) -> Option<f64> {
        (self.failure > 0.0).then(|| (1.0 + self.failure) / self.failure.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        (self.failure > 0.0).then(|| 6.0 + self.success * (self.success / self.failure))
    }
}

impl Entropy for Geometric {
    fn entropy(&self) -> f64 {
        0.0 - self.success.ln() - weighted(self.failure, self.ln_failure) / self.success
    }
}

impl Mode for Geometric {
    fn mode(&self) -> Option<u64> {
        Some(0)
    }
}

impl KlDivergence for Geometric {
    fn kl_divergence(&self, other: &Self) -> f64 {
        // That of one trial, times the mean number of trials.
        let of_one =
            poisson_deviance(self.success, other.success) + poisson_deviance(self.failure, other.failure);
        of_one / self.success
    }
}

impl ExponentialFamily for Geometric {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), _: &u64) -> Result<(), ParamError> {
        Ok(())
    }

    /// The statistic k.
    fn add_statistic((): &(), &k: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * k as f64;
    }

    /// The log partition function -ln(1 - eʷ).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        0.0 - ln_1m_exp(natural.as_slice()[0])
    }

    /// The natural parameter ln(1 - p).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![self.ln_failure])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::from_ln_failure(natural.as_slice()[0])
    }

    /// The expectation of the statistic (1 - p)/p.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.failure / self.success])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let mean = check::non_negative("Geometric", "mean", expectation.as_slice()[0])?;
        let success = check_success("Geometric", (1.0 + mean).recip())?;
        Ok(Self { success, failure: mean / (1.0 + mean), ln_failure: -(mean.recip()).ln_1p() })
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Geometric {
    /// The Fisher information (1 - p)/p².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.failure / self.success / self.success)
    }
}

impl Distribution<u64> for Geometric {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let exponential: f64 = rand_distr::Exp1.sample(rng);
        // A cast saturates.
        (exponential / -self.ln_failure) as u64
    }
}
