//! Bernoulli distribution on {false, true}.

use posterior_math::log_space::{ln_1p_exp, ln_logistic, logistic, logit};
use rand::RngExt;

use crate::grammar::parametric;
use crate::moments::weighted;
use crate::prelude::*;

/// The distribution of one trial that succeeds with probability p.
///
/// # Density
/// P(true) = p, P(false) = 1 - p
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | p | `probability` | [0, 1] | `prob` (R), `p` (SciPy), `theta` (Stan) |
///
/// # Moments
/// mean p, variance p (1 - p), skewness (1 - 2p) / √(p (1 - p)), entropy -p ln p - (1 - p) ln(1 - p)
///
/// # Numerics
/// ln p and ln(1 - p) are held, each to full precision: from the logit where that is given, so that a
/// probability of failure of e⁻⁸⁰⁰ keeps its logarithm.
///
/// # Example
/// ```
/// use posterior_dist::{Bernoulli, Density, Entropy};
///
/// let coin = Bernoulli::new(0.6)?;
/// assert!((coin.ln_pdf(&true) - 0.6_f64.ln()).abs() < 1e-15);
/// assert!((coin.entropy() - 0.6730116670092565).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bernoulli {
    success: f64,
    failure: f64,
    ln_success: f64,
    ln_failure: f64,
}

impl Bernoulli {
    /// Success with probability p.
    ///
    /// # Errors
    /// If p is not in [0, 1].
    pub fn new(probability: f64) -> Result<Self, ParamError> {
        let p = check::probability("Bernoulli", "probability", probability)?;
        Ok(Self { success: p, failure: 1.0 - p, ln_success: p.ln(), ln_failure: (-p).ln_1p() })
    }

    /// Success with probability 1 / (1 + e⁻ˣ).
    ///
    /// # Errors
    /// If x is NaN.
    pub fn from_logit(x: f64) -> Result<Self, ParamError> {
        check::require(!x.is_nan(), "Bernoulli", "logit", x, "a number")?;
        Ok(Self {
            success: logistic(x),
            failure: logistic(-x),
            ln_success: ln_logistic(x),
            ln_failure: ln_logistic(-x),
        })
    }

    /// The probability of success.
    pub const fn probability(&self) -> f64 {
        self.success
    }

    /// The probability of failure.
    pub const fn failure(&self) -> f64 {
        self.failure
    }
}

parametric!(Bernoulli, "bernoulli", new(probability));

impl Density for Bernoulli {
    type Point = bool;

    fn ln_pdf(&self, &x: &bool) -> f64 {
        if x { self.ln_success } else { self.ln_failure }
    }
}

impl Univariate for Bernoulli {
    fn cdf(&self, x: f64) -> f64 {
        step(x, [0.0, self.failure, 1.0])
    }

    fn sf(&self, x: f64) -> f64 {
        step(x, [1.0, self.success, 0.0])
    }

    fn quantile(&self, p: f64) -> f64 {
        if !(0.0..=1.0).contains(&p) {
            f64::NAN
        } else if p <= self.failure && self.failure > 0.0 && (p < 1.0 || self.success == 0.0) {
            0.0
        } else {
            f64::from(self.success > 0.0)
        }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if !(0.0..=1.0).contains(&q) {
            f64::NAN
        } else if q >= self.success && self.failure > 0.0 {
            0.0
        } else {
            1.0
        }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        step(x, [f64::NEG_INFINITY, self.ln_failure, 0.0])
    }

    fn ln_sf(&self, x: f64) -> f64 {
        step(x, [0.0, self.ln_success, f64::NEG_INFINITY])
    }
}

/// The value below 0, on [0, 1) and from 1 on; NaN for NaN.
fn step(x: f64, [below, between, above]: [f64; 3]) -> f64 {
    if x.is_nan() {
        x
    } else if x < 0.0 {
        below
    } else if x < 1.0 {
        between
    } else {
        above
    }
}

impl Moments for Bernoulli {
    fn mean(&self) -> Option<f64> {
        Some(self.success)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.success * self.failure)
    }
}

impl Shape for Bernoulli {
    fn skewness(&self) -> Option<f64> {
        let variance = self.success * self.failure;
        (variance > 0.0).then(|| (self.failure - self.success) / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let variance = self.success * self.failure;
        (variance > 0.0).then(|| (1.0 - 6.0 * variance) / variance)
    }
}

impl Entropy for Bernoulli {
    fn entropy(&self) -> f64 {
        -(weighted(self.success, self.ln_success) + weighted(self.failure, self.ln_failure))
    }
}

impl Mode for Bernoulli {
    fn mode(&self) -> Option<bool> {
        (self.ln_success != self.ln_failure).then_some(self.ln_success > self.ln_failure)
    }
}

impl KlDivergence for Bernoulli {
    fn kl_divergence(&self, other: &Self) -> f64 {
        weighted(self.success, self.ln_success - other.ln_success)
            + weighted(self.failure, self.ln_failure - other.ln_failure)
    }
}

impl ExponentialFamily for Bernoulli {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), _: &bool) -> Result<(), ParamError> {
        Ok(())
    }

    fn add_statistic((): &(), &x: &bool, weight: f64, sum: &mut [f64]) {
        if x {
            sum[0] += weight;
        }
    }

    /// The log partition function ln(1 + eʷ).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        ln_1p_exp(natural.as_slice()[0])
    }

    /// logit p.
    fn natural(&self) -> Natural<Self> {
        let w = if self.success < 0.25 || self.failure < 0.25 {
            self.ln_success - self.ln_failure
        } else {
            logit(self.success)
        };
        Natural::of((), vec![w])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::from_logit(natural.as_slice()[0])
    }

    /// The expectation of the statistic p.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.success])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0])
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Bernoulli {
    /// The Fisher information p (1 - p).
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.success * self.failure)
    }
}

impl Distribution<bool> for Bernoulli {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        rng.random::<f64>() < self.success
    }
}
