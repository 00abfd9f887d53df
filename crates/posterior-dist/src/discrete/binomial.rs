//! Binomial distribution on {0, 1, …, n}.

mod sampler;

use std::f64::consts::TAU;

use posterior_math::log_space::{ln_1p_exp, ln_logistic, logistic, logit};
use posterior_math::special::{
    beta_pq, exp_excess, ln_beta_p, ln_beta_q, ln_binomial, poisson_deviance, stirling_remainder,
};

use super::smooth_sum::Extent;
use super::steps::{Search, Tail, stepwise};
use crate::grammar::parametric;
use crate::moments::weighted;
use crate::prelude::*;
use sampler::Sampler;

/// The distribution of the number of successes in n independent trials that succeed with probability p.
///
/// # Density
/// P(k) = (n choose k) pᵏ (1 - p)ⁿ⁻ᵏ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | n | `trials` | 0, 1, 2, … | `size` (R), `n` (SciPy), `N` (Stan) |
/// | p | `probability` | [0, 1] | `prob` (R), `p` (SciPy), `theta` (Stan) |
///
/// # Moments
/// mean np, variance np(1 - p), skewness (1 - 2p) / √(np(1 - p)), mode ⌊(n + 1)p⌋ unless (n + 1)p is whole
///
/// # Numerics
/// p and 1 - p are held with their logarithms, each to full precision: from the logit where that is given.
/// The density is Loader's saddle-point form, whose error does not grow with n; both tails are incomplete
/// beta functions. The entropy is a sum of some hundred terms, whatever n is; so is the divergence between
/// two distributions that differ in n. Draws are by inversion for np < 10, by BTPE otherwise (`rand_distr`);
/// beyond 2⁵³ their last bits are not random.
///
/// # Example
/// ```
/// use posterior_dist::{Binomial, Density, Univariate};
///
/// let distribution = Binomial::new(10, 0.5)?;
/// assert!((distribution.ln_pdf(&5) - (252.0_f64 / 1024.0).ln()).abs() < 1e-15);
/// assert!((distribution.sf(6.0) - 176.0 / 1024.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000. V. Kachitvichyanukul, B. W.
/// Schmeiser, Binomial random variate generation, CACM 31 (1988).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binomial {
    trials: u64,
    success: f64,
    failure: f64,
    ln_success: f64,
    ln_failure: f64,
    sampler: Sampler,
}

impl Binomial {
    /// n trials that succeed with probability p.
    ///
    /// # Errors
    /// If p is not in [0, 1].
    pub fn new(trials: u64, probability: f64) -> Result<Self, ParamError> {
        let p = check::probability("Binomial", "probability", probability)?;
        Ok(Self::of(trials, [p, 1.0 - p], [p.ln(), (-p).ln_1p()]))
    }

    /// n trials that succeed with probability 1 / (1 + e⁻ˣ).
    ///
    /// # Errors
    /// If x is NaN.
    pub fn from_logit(trials: u64, x: f64) -> Result<Self, ParamError> {
        check::require(!x.is_nan(), "Binomial", "logit", x, "a number")?;
        Ok(Self::of(trials, [logistic(x), logistic(-x)], [ln_logistic(x), ln_logistic(-x)]))
    }

    fn of(trials: u64, [success, failure]: [f64; 2], [ln_success, ln_failure]: [f64; 2]) -> Self {
        Self {
            trials,
            success,
            failure,
            ln_success,
            ln_failure,
            sampler: Sampler::new(trials, success, failure),
        }
    }

    /// The number of trials.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// The probability of success.
    pub const fn probability(&self) -> f64 {
        self.success
    }

    /// The probability of failure.
    pub const fn failure(&self) -> f64 {
        self.failure
    }

    /// The logarithm of the density, also between the counts.
    fn ln_mass(&self, x: f64) -> f64 {
        let n = self.trials as f64;
        if x == 0.0 {
            return weighted(n, self.ln_failure);
        }
        if x == n {
            return n * self.ln_success;
        }
        let dev = |value: f64, proportion: f64, ln_proportion: f64| {
            let mean = n * proportion;
            if mean >= f64::MIN_POSITIVE {
                poisson_deviance(value, mean)
            } else {
                value * (value.ln() - n.ln() - ln_proportion) - value + mean
            }
        };
        let deviance = dev(x, self.success, self.ln_success) + dev(n - x, self.failure, self.ln_failure);
        ln_flat(n, x) - deviance
    }

    /// The least and the largest count that is possible.
    fn ends(&self) -> [f64; 2] {
        let n = self.trials as f64;
        let possible = |ln_proportion: f64| ln_proportion > f64::NEG_INFINITY;
        [if possible(self.ln_failure) { 0.0 } else { n }, if possible(self.ln_success) { n } else { 0.0 }]
    }

    fn extent(&self) -> Extent {
        let n = self.trials as f64;
        let [low, high] = self.ends();
        let mode = ((n + 1.0) * self.success).floor();
        Extent { low, high, mode, scale: (n * self.success * self.failure).sqrt() }
    }

    fn search(&self) -> Search {
        let n = self.trials as f64;
        let variance = n * self.success * self.failure;
        Search {
            ends: self.ends(),
            mean: n * self.success,
            sd: variance.sqrt(),
            skewness: (self.failure - self.success) / variance.sqrt().max(1e-3),
            excess: (1.0 - 6.0 * self.success * self.failure) / variance.max(1e-3),
        }
    }
}

/// A draw of `trials` that succeed with probability `success` in [0, 1], by a sampler that is used once.
pub(crate) fn draw_binomial<R: Rng + ?Sized>(trials: u64, success: f64, rng: &mut R) -> u64 {
    Sampler::new(trials, success, 1.0 - success).sample(rng)
}

/// The logarithm of the mass at x of the binomial distribution with mean x, 0 < x < n.
fn ln_flat(n: f64, x: f64) -> f64 {
    let remainder = stirling_remainder(n) - stirling_remainder(x) - stirling_remainder(n - x);
    remainder + 0.5 * (n / (TAU * x) / (n - x)).ln()
}

/// The logarithm of the mass at x of n trials that succeed and fail with these probabilities, also between
/// the counts.
pub(super) fn ln_binomial_mass(n: f64, [success, failure]: [f64; 2], x: f64) -> f64 {
    if x == 0.0 {
        return weighted(n, if success < 0.5 { (-success).ln_1p() } else { failure.ln() });
    }
    if x == n {
        return n * if failure < 0.5 { (-failure).ln_1p() } else { success.ln() };
    }
    ln_flat(n, x) - poisson_deviance(x, n * success) - poisson_deviance(n - x, n * failure)
}

parametric!(Binomial, "binomial", new(trials, probability));

impl Density for Binomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        if k == self.trials && k > 0 {
            // Beyond 2⁵³ the rounded count may be the number of trials where the count is not.
            return self.trials as f64 * self.ln_success;
        }
        if k > self.trials { f64::NEG_INFINITY } else { self.ln_mass(k as f64) }
    }
}

impl ParameterGradient for Binomial {
    type Gradient = [f64; 2];

    /// NaN in n, which is whole.
    fn parameter_gradient(&self, &k: &u64) -> [f64; 2] {
        if k > self.trials {
            return [f64::NAN; 2];
        }
        let term = |count: u64, proportion: f64| match (count, proportion) {
            (0, _) => 0.0,
            (_, 0.0) => f64::NAN,
            (count, proportion) => count as f64 / proportion,
        };
        [f64::NAN, term(k, self.success) - term(self.trials - k, self.failure)]
    }
}

impl Binomial {
    /// P(X ≤ k) and P(X > k).
    fn tails(&self, k: f64) -> (f64, f64) {
        let n = self.trials as f64;
        if k >= n {
            return (1.0, 0.0);
        }
        let (upper, lower) = beta_pq(k + 1.0, n - k, self.success, self.failure);
        (lower, upper)
    }
}

impl Univariate for Binomial {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.tails(k).0)
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.tails(k).1)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.search().quantile(p, |k| Tail::of(self.cdf(k)))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.search().upper_quantile(q, |k| Tail::of(self.sf(k)))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let n = self.trials as f64;
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| {
            if k >= n {
                0.0
            } else if k == 0.0 {
                weighted(n, self.ln_failure)
            } else if self.success < 0.5 {
                ln_beta_q(k + 1.0, n - k, self.success)
            } else {
                ln_beta_p(n - k, k + 1.0, self.failure)
            }
        })
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let n = self.trials as f64;
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| {
            if k >= n {
                f64::NEG_INFINITY
            } else if k + 1.0 == n {
                n * self.ln_success
            } else if self.success < 0.5 {
                ln_beta_p(k + 1.0, n - k, self.success)
            } else {
                ln_beta_q(n - k, k + 1.0, self.failure)
            }
        })
    }
}

impl Moments for Binomial {
    fn mean(&self) -> Option<f64> {
        Some(self.trials as f64 * self.success)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.trials as f64 * self.success * self.failure)
    }
}

impl Shape for Binomial {
    fn skewness(&self) -> Option<f64> {
        let variance = self.variance()?;
        (variance > 0.0).then(|| (self.failure - self.success) / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let variance = self.variance()?;
        (variance > 0.0).then(|| (1.0 - 6.0 * self.success * self.failure) / variance)
    }
}

impl Entropy for Binomial {
    fn entropy(&self) -> f64 {
        0.0 + self.extent().entropy(|base, offset| self.ln_mass(base + offset))
    }
}

impl KlDivergence for Binomial {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.trials == other.trials {
            let of_one =
                poisson_deviance(self.success, other.success) + poisson_deviance(self.failure, other.failure);
            return weighted(self.trials as f64, of_one);
        }
        if self.trials == 0 || self.success == 0.0 {
            return 0.0 - other.ln_pdf(&0);
        }
        if self.trials > other.trials || other.success == 0.0 || other.failure == 0.0 {
            return if self.failure == 0.0 { 0.0 - other.ln_pdf(&self.trials) } else { f64::INFINITY };
        }
        // p ln(p/q) - p + q ≥ 0, so that no terms cancel; the masses of q beyond the largest count of p are
        // left.
        let value = |k: f64, ln_mass: f64| exp_excess(other.ln_mass(k) - ln_mass);
        self.extent().expectation(|base, offset| self.ln_mass(base + offset), value)
            + other.sf(self.trials as f64)
    }
}

impl Mode for Binomial {
    fn mode(&self) -> Option<u64> {
        let steps = self.trials as f64 + 1.0;
        let candidate = (steps * self.success).floor();
        #[expect(
            clippy::disallowed_methods,
            reason = "only the fused product tells on which side of a whole number (n + 1)p lies"
        )]
        let excess = steps.mul_add(self.success, -candidate);
        if excess == 0.0 && candidate > 0.0 && self.success < 1.0 {
            return None;
        }
        // The product may have been rounded up to a whole number that it does not reach.
        let mode = if excess < 0.0 { candidate - 1.0 } else { candidate };
        Some((mode as u64).min(self.trials))
    }
}

impl ExponentialFamily for Binomial {
    /// The number of trials.
    type Fixed = u64;
    type Summary = Sums;

    fn fixed(&self) -> u64 {
        self.trials
    }

    fn statistic_len(_: &u64) -> usize {
        1
    }

    fn check_point(&trials: &u64, &k: &u64) -> Result<(), ParamError> {
        check::require(k <= trials, "Binomial", "successes", k as f64, "at most the number of trials")
            .map(drop)
    }

    /// The statistic k.
    fn add_statistic(_: &u64, &k: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * k as f64;
    }

    /// ln (n choose k).
    fn ln_base(&trials: &u64, &k: &u64) -> f64 {
        ln_binomial(trials, k)
    }

    /// The log partition function n ln(1 + eʷ).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        if *natural.fixed() == 0 { 0.0 } else { *natural.fixed() as f64 * ln_1p_exp(natural.as_slice()[0]) }
    }

    /// logit p.
    fn natural(&self) -> Natural<Self> {
        let w = if self.success < 0.25 || self.failure < 0.25 {
            self.ln_success - self.ln_failure
        } else {
            logit(self.success)
        };
        Natural::of(self.trials, vec![w])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::from_logit(*natural.fixed(), natural.as_slice()[0])
    }

    /// The expectation of the statistic np.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.trials, vec![self.trials as f64 * self.success])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let trials = *expectation.fixed();
        check::require(trials > 0, "Binomial", "trials", 0.0, "positive, to find p by")?;
        Self::new(trials, expectation.as_slice()[0] / trials as f64)
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Binomial {
    /// The Fisher information n p (1 - p).
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.trials as f64 * self.success * self.failure)
    }
}

impl Distribution<u64> for Binomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.sampler.sample(rng)
    }
}
