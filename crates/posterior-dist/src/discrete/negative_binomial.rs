//! Negative binomial distribution on {0, 1, 2, …}.

use std::f64::consts::TAU;

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::{
    beta_deviance, beta_pq, digamma_difference, exp_excess, ln_beta, ln_beta_p, ln_beta_q, ln_gamma,
    poisson_deviance, stirling_remainder,
};

use super::geometric::check_success;
use super::smooth_sum::Extent;
use super::steps::{Search, Tail, stepwise};
use crate::continuous::Gamma;
use crate::fixed_quadrature::integrate_up_to;
use crate::gamma_variate::sample_ln_gamma;
use crate::grammar::parametric;
use crate::prelude::*;

/// Below this probability of success the entropy is that of the counts up to [`FAR`] and an integral.
const FAR_BELOW: f64 = 1e-18;
/// From here on counts are as good as real numbers.
const FAR: f64 = 1e14;
/// Panels of that integral over the logarithm of the count.
const LONG_PANEL: f64 = 4.0;
const SHORT_PANEL: f64 = 0.5;
/// The logarithm of what a gamma variable of rate 1 never exceeds.
const LN_LARGEST: f64 = 6.62;

/// The distribution of the number of failures before the r-th success in trials that succeed with probability
/// p; for any r > 0, the distribution of a Poisson count whose rate is itself Gamma(r, p/(1 - p)).
///
/// # Density
/// P(k) = Γ(r + k)/(Γ(r) k!) · pʳ (1 - p)ᵏ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | r | `successes` | positive | `size` (R), `n` (SciPy), `alpha` (Stan), `phi` (Stan's `neg_binomial_2`) |
/// | p | `probability` | (0, 1] | `prob` (R), `p` (SciPy), `beta`/(`beta` + 1) (Stan) |
///
/// # Moments
/// with q = 1 - p: mean rq/p, variance rq/p², skewness (1 + q)/√(rq), excess kurtosis 6/r + p²/(rq), mode
/// ⌊(r - 1)q/p⌋ for r > 1 unless that is a whole positive number, 0 for r ≤ 1
///
/// # Numerics
/// The density is a saddle-point form (Loader's), whose error does not grow with r and k; both tails are
/// incomplete beta functions. The entropy has no closed form: it is a sum of some hundred terms, whatever the
/// parameters are; so is the divergence between two distributions that differ in r. A draw is a Poisson one
/// with a gamma rate, and 2⁶⁴ - 1 where that does not fit in 64 bits.
///
/// # Example
/// ```
/// use posterior_dist::{Moments, NegativeBinomial};
///
/// let distribution = NegativeBinomial::mean_dispersion(4.0, 2.0)?; // variance 4 + 4²/2
/// assert!((distribution.variance().unwrap() - 12.0).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NegativeBinomial {
    successes: f64,
    success: f64,
    failure: f64,
}

impl NegativeBinomial {
    /// r and p.
    ///
    /// # Errors
    /// If r is not positive and finite, or p not in (0, 1].
    pub fn new(successes: f64, probability: f64) -> Result<Self, ParamError> {
        Self::with_failure(successes, probability, 1.0 - probability)
    }

    /// The distribution with mean m and variance m + m²/r, r being the dispersion.
    ///
    /// # Errors
    /// If the mean is negative or infinite, r is not positive and finite, or the mean is so far above r that
    /// p = r/(r + m) is zero.
    pub fn mean_dispersion(mean: f64, dispersion: f64) -> Result<Self, ParamError> {
        check::non_negative("NegativeBinomial", "mean", mean)?;
        check::positive("NegativeBinomial", "dispersion", dispersion)?;
        let total = check::positive("NegativeBinomial", "mean + dispersion", mean + dispersion)?;
        Self::with_failure(dispersion, dispersion / total, mean / total)
    }

    /// r, p and 1 - p, of which each has all its digits.
    pub(crate) fn with_failure(successes: f64, success: f64, failure: f64) -> Result<Self, ParamError> {
        check::positive("NegativeBinomial", "successes", successes)?;
        check_success("NegativeBinomial", success)?;
        Ok(Self { successes, success, failure })
    }

    /// The number of successes r.
    pub const fn successes(&self) -> f64 {
        self.successes
    }

    /// The probability of success p.
    pub const fn probability(&self) -> f64 {
        self.success
    }

    /// The probability of failure, 1 - p.
    pub const fn failure(&self) -> f64 {
        self.failure
    }

    fn ln_success(&self) -> f64 {
        if self.success < 0.5 { self.success.ln() } else { (-self.failure).ln_1p() }
    }

    /// The logarithm of the density, also between the counts.
    fn ln_mass(&self, x: f64) -> f64 {
        if x == 0.0 {
            self.successes * self.ln_success()
        } else if self.failure == 0.0 {
            f64::NEG_INFINITY
        } else {
            ln_negative_binomial(self.successes, x, [self.success, self.failure])
        }
    }

    /// The most probable count, rounded down.
    fn peak(&self) -> f64 {
        if self.successes > 1.0 { (self.successes - 1.0) * (self.failure / self.success) } else { 0.0 }
    }

    fn extent(&self) -> Extent {
        // Below one success the masses fall like a power first, and smoothly over the decay of e^(-pk)
        // whatever the variance is.
        let scale = (self.successes.max(1.0) * self.failure).sqrt() / self.success;
        Extent { low: 0.0, high: f64::INFINITY, mode: self.peak().floor().min(1e300), scale }
    }

    fn search(&self) -> Search {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        Search {
            ends: [0.0, if self.failure > 0.0 { f64::INFINITY } else { 0.0 }],
            mean: self.successes * (self.failure / self.success),
            sd: (self.successes * self.failure).sqrt() / self.success,
            skewness: finite(self.skewness().unwrap_or(0.0)),
            excess: finite(self.excess_kurtosis().unwrap_or(0.0)),
        }
    }
}

/// D(value; end · part/whole), also where that is beyond f64.
fn deviance(value: f64, end: f64, part: f64, whole: f64) -> f64 {
    let mean = end * (part / whole);
    if mean >= f64::MIN_POSITIVE {
        poisson_deviance(value, mean)
    } else {
        value * (value.ln() - end.ln() - part.ln() + whole.ln()) - value + mean
    }
}

/// From this sum on its rounding is that of many counts.
const ROUNDED: f64 = 1e14;

/// ln (Γ(r + x) / (Γ(r) x!) · pʳ (1 - p)ˣ) with p and 1 - p in the proportion of `odds`, for x > 0.
pub(crate) fn ln_negative_binomial(r: f64, x: f64, [success, failure]: [f64; 2]) -> f64 {
    let (end, whole) = (r + x, success + failure);
    let deviance = if end > ROUNDED && r.min(x) >= 1.0 {
        // With twice the digits of the difference from the mean.
        beta_deviance(r, x, success / whole, failure / whole)
    } else {
        [(r, success), (x, failure)]
            .map(|(value, part)| deviance(value, end, part, whole))
            .iter()
            .sum::<f64>()
    };
    let remainder = stirling_remainder(end) - stirling_remainder(r) - stirling_remainder(x);
    remainder - deviance - 0.5 * (ln_growth(r, x) + (TAU * x).ln())
}

/// ln ((base + more) / base), also where the quotient overflows.
pub(crate) fn ln_growth(base: f64, more: f64) -> f64 {
    let growth = more / base;
    if growth < f64::INFINITY { growth.ln_1p() } else { more.ln() - base.ln() }
}

/// ln (Γ(r + k)/(Γ(r) k!)), the number of ways for whole r.
pub(super) fn ln_ways(r: f64, k: f64) -> f64 {
    if k == 0.0 { 0.0 } else { -(r + k).ln() - ln_beta(r, k + 1.0) }
}

parametric!(NegativeBinomial, "negative_binomial", new(successes, probability));

impl Density for NegativeBinomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        self.ln_mass(k as f64)
    }
}

impl ParameterGradient for NegativeBinomial {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &k: &u64) -> [f64; 2] {
        let k = k as f64;
        if k > 0.0 && self.failure == 0.0 {
            return [f64::NAN; 2];
        }
        let failures = if k > 0.0 { k / self.failure } else { 0.0 };
        [digamma_difference(self.successes, k) + self.ln_success(), self.successes / self.success - failures]
    }
}

impl Univariate for NegativeBinomial {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| beta_pq(self.successes, k + 1.0, self.success, self.failure).0)
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| beta_pq(self.successes, k + 1.0, self.success, self.failure).1)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.search().quantile(p, |k| Tail::of(self.cdf(k)))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.search().upper_quantile(q, |k| Tail::of(self.sf(k)))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| {
            if self.success < 0.5 {
                ln_beta_p(self.successes, k + 1.0, self.success)
            } else {
                ln_beta_q(k + 1.0, self.successes, self.failure)
            }
        })
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| {
            if self.success < 0.5 {
                ln_beta_q(self.successes, k + 1.0, self.success)
            } else {
                ln_beta_p(k + 1.0, self.successes, self.failure)
            }
        })
    }
}

impl Moments for NegativeBinomial {
    fn mean(&self) -> Option<f64> {
        Some(self.successes * self.failure / self.success)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.successes * self.failure / self.success / self.success)
    }
}

impl Shape for NegativeBinomial {
    fn skewness(&self) -> Option<f64> {
        (self.failure > 0.0).then(|| (1.0 + self.failure) / (self.successes * self.failure).sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let of_success = self.success * (self.success / self.failure);
        (self.failure > 0.0).then(|| (6.0 + of_success) / self.successes)
    }
}

impl NegativeBinomial {
    /// -Σ P(k) ln P(k) over the counts above one so large that the gamma distribution of the rate is all that
    /// is seen: an integral over the logarithm of the count, which may be beyond f64.
    fn entropy_beyond(&self, count: f64) -> f64 {
        let ln_success = self.success.ln();
        let term = |t: f64| {
            // ln P(k) + ln k.
            let ln_part =
                self.successes * (t + ln_success) - (t + ln_success).exp() - ln_gamma(self.successes);
            if ln_part == f64::NEG_INFINITY { 0.0 } else { ln_part.exp() * (t - ln_part) }
        };
        let (mut from, end) = ((count + 0.5).ln(), LN_LARGEST - ln_success);
        let mut sum = 0.0;
        while from < end {
            // Up to some e-folds below 1/p a power.
            let width = if from + LONG_PANEL < -ln_success - 3.0 { LONG_PANEL } else { SHORT_PANEL };
            sum += integrate_up_to(from + width, width, term);
            from += width;
        }
        sum
    }
}

impl Entropy for NegativeBinomial {
    fn entropy(&self) -> f64 {
        // What the counts differ by from their rate is below the digits where the rate is large in all but
        // 1e-19 of the cases.
        let large = self.success < 1e-18 && self.successes * -self.success.ln() > 45.0;
        if large || self.peak() > 1e150 {
            // Of such counts the gamma distribution of the rate is all that is seen.
            let gamma = Gamma::shape_rate(self.successes, self.success / self.failure);
            return gamma.map_or(f64::INFINITY, |gamma| gamma.entropy());
        }
        if self.failure == 0.0 {
            0.0
        } else if self.success < FAR_BELOW {
            let few = Extent { high: FAR, ..self.extent() };
            few.entropy(|base, offset| self.ln_mass(base + offset)) + self.entropy_beyond(FAR)
        } else {
            self.extent().entropy(|base, offset| self.ln_mass(base + offset))
        }
    }
}

impl Mode for NegativeBinomial {
    fn mode(&self) -> Option<u64> {
        let peak = self.peak();
        (peak == 0.0 || peak.floor() < peak).then_some(peak as u64)
    }
}

impl KlDivergence for NegativeBinomial {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.successes == other.successes {
            let of_one =
                poisson_deviance(self.success, other.success) + poisson_deviance(self.failure, other.failure);
            return self.successes * (of_one / self.success);
        }
        if other.failure == 0.0 || self.failure == 0.0 {
            return if self.failure == 0.0 { -other.ln_mass(0.0) } else { f64::INFINITY };
        }
        // p ln(p/q) - p + q ≥ 0, so that no terms cancel.
        let value = |k: f64, ln_mass: f64| exp_excess(other.ln_mass(k) - ln_mass);
        self.extent().expectation(|base, offset| self.ln_mass(base + offset), value)
    }
}

/// For a fixed number of successes.
impl ExponentialFamily for NegativeBinomial {
    /// r.
    type Fixed = f64;
    type Summary = Sums;

    fn fixed(&self) -> f64 {
        self.successes
    }

    fn statistic_len(_: &f64) -> usize {
        1
    }

    fn check_point(_: &f64, _: &u64) -> Result<(), ParamError> {
        Ok(())
    }

    /// The statistic k.
    fn add_statistic(_: &f64, &k: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * k as f64;
    }

    /// The logarithm of the base measure ln (Γ(r + k)/(Γ(r) k!)).
    fn ln_base(&successes: &f64, &k: &u64) -> f64 {
        ln_ways(successes, k as f64)
    }

    /// The log partition function -r ln(1 - eʷ).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        0.0 - natural.fixed() * ln_1m_exp(natural.as_slice()[0])
    }

    /// The natural parameter ln(1 - p).
    fn natural(&self) -> Natural<Self> {
        let w = if self.failure < 0.5 { self.failure.ln() } else { (-self.success).ln_1p() };
        Natural::of(self.successes, vec![w])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let w = natural.as_slice()[0];
        Self::with_failure(*natural.fixed(), -w.exp_m1(), w.exp())
    }

    /// The expectation of the statistic rq/p.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.successes, vec![self.successes * self.failure / self.success])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::mean_dispersion(expectation.as_slice()[0], *expectation.fixed())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for NegativeBinomial {
    /// The Fisher information rq/p².
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.successes * self.failure / self.success / self.success)
    }
}

impl Distribution<u64> for NegativeBinomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let rate = (sample_ln_gamma(self.successes, rng) + self.failure.ln() - self.ln_success()).exp();
        if !(rate > 0.0) {
            return 0;
        }
        // Rates that a Poisson distribution refuses give counts that do not fit.
        rand_distr::Poisson::new(rate).map_or(u64::MAX, |poisson| poisson.sample(rng) as u64)
    }
}
