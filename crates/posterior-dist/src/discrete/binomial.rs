//! Binomial distribution on {0, 1, …, n}.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_1p_exp, logistic, logit};
use posterior_math::special::{ln_binomial, poisson_deviance, stirling_remainder};
use rand::Rng;
use rand::distr::Distribution;

use crate::density::Density;
use crate::exponential_family::{Expectation, ExponentialFamily, Natural};
use crate::moments::{Entropy, Mode, Moments, Shape};
use crate::parametric::{Parametric, exactly, whole};
use crate::summary::Sums;

/// The law of the number of successes in n independent trials that succeed with probability p.
///
/// # Density
/// P(k) = (n choose k) pᵏ (1 - p)ⁿ⁻ᵏ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | n | `trials` | 0, 1, 2, … | `size` (R), `n` (SciPy), `N` (Stan) |
/// | p | `success` | [0, 1] | `prob` (R), `p` (SciPy), `theta` (Stan) |
///
/// # Moments
/// mean np, variance np(1 - p), skewness (1 - 2p) / √(np(1 - p)), mode ⌊(n + 1)p⌋ unless (n + 1)p is whole
///
/// # Numerics
/// The density is Loader's saddle-point form, whose error does not grow with n. The entropy is a sum over the terms that
/// matter, O(√n). The distribution function needs the incomplete beta function and is not here yet, so the law is not
/// [`Univariate`](crate::Univariate). Draws are by inversion for small np, by BTPE otherwise (`rand_distr`).
///
/// # Example
/// ```
/// use posterior_dist::{Binomial, Density};
///
/// let law = Binomial::new(10, 0.5)?;
/// assert!((law.ln_pdf(&5) - (252.0_f64 / 1024.0).ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Loader, Fast and accurate computation of binomial probabilities, 2000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binomial {
    trials: u64,
    success: f64,
    sampler: rand_distr::Binomial,
}

impl Binomial {
    /// n trials that succeed with probability p.
    ///
    /// # Errors
    /// If p is not in [0, 1].
    pub fn new(trials: u64, success: f64) -> Result<Self, ParamError> {
        check::probability("Binomial", "success", success)?;
        let sampler = rand_distr::Binomial::new(trials, success)
            .map_err(|_| ParamError::new("Binomial", "success", success, "in [0, 1]"))?;
        Ok(Self { trials, success, sampler })
    }

    /// The number of trials.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// The probability of success.
    pub const fn success(&self) -> f64 {
        self.success
    }
}

impl Parametric for Binomial {
    const NAME: &'static str = "binomial";
    const PARAMETERS: &'static [&'static str] = &["trials", "success"];

    fn parameters(&self) -> Vec<f64> {
        vec![self.trials as f64, self.success]
    }

    fn from_parameters(parameters: &[f64]) -> Result<Self, ParamError> {
        let [trials, success] = exactly::<Self, 2>(parameters)?;
        Self::new(whole("Binomial", "trials", trials)?, success)
    }
}

impl Density for Binomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        let (n, p) = (self.trials as f64, self.success);
        if k > self.trials {
            return f64::NEG_INFINITY;
        }
        if k == 0 {
            return if self.trials == 0 { 0.0 } else { n * (-p).ln_1p() };
        }
        if k == self.trials {
            return n * p.ln();
        }
        let (hits, misses) = (k as f64, (self.trials - k) as f64);
        let remainder = stirling_remainder(n) - stirling_remainder(hits) - stirling_remainder(misses);
        let deviance = poisson_deviance(hits, n * p) + poisson_deviance(misses, n * (1.0 - p));
        remainder - deviance + 0.5 * (n / (TAU * hits) / misses).ln()
    }
}

impl Moments for Binomial {
    type Mean = f64;
    type Variance = f64;

    fn mean(&self) -> Option<f64> {
        Some(self.trials as f64 * self.success)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.trials as f64 * self.success * (1.0 - self.success))
    }
}

impl Shape for Binomial {
    fn skewness(&self) -> Option<f64> {
        let variance = self.variance()?;
        (variance > 0.0).then(|| (1.0 - 2.0 * self.success) / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let variance = self.variance()?;
        (variance > 0.0).then(|| (1.0 - 6.0 * self.success * (1.0 - self.success)) / variance)
    }
}

impl Entropy for Binomial {
    fn entropy(&self) -> f64 {
        let start = (((self.trials as f64 + 1.0) * self.success) as u64).min(self.trials);
        let up = sum_until_negligible((start..=self.trials).map(|k| self.ln_pdf(&k)));
        let down = sum_until_negligible((0..start).rev().map(|k| self.ln_pdf(&k)));
        up + down
    }
}

/// -Σ p ln p of decreasing probabilities, up to where no term matters any more.
fn sum_until_negligible(ln_probabilities: impl Iterator<Item = f64>) -> f64 {
    let mut sum = 0.0;
    for ln_p in ln_probabilities {
        let term = if ln_p == f64::NEG_INFINITY { 0.0 } else { -ln_p * ln_p.exp() };
        sum += term;
        if ln_p < -40.0 && term < 1e-20 * sum {
            break;
        }
    }
    sum
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
        check::require(k <= trials, "Binomial", "successes", k as f64, "at most the number of trials")?;
        Ok(())
    }

    /// k.
    fn add_statistic(_: &u64, &k: &u64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * k as f64;
    }

    /// ln (n choose k).
    fn ln_base(&trials: &u64, &k: &u64) -> f64 {
        ln_binomial(trials, k)
    }

    /// n ln(1 + eʷ).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        if *natural.fixed() == 0 { 0.0 } else { *natural.fixed() as f64 * ln_1p_exp(natural.as_slice()[0]) }
    }

    /// logit p.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.trials, vec![logit(self.success)])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(*natural.fixed(), logistic(natural.as_slice()[0]))
    }

    /// np.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.trials, vec![self.trials as f64 * self.success])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let trials = *expectation.fixed();
        check::require(trials > 0, "Binomial", "trials", 0.0, "positive, to find p by")?;
        Self::new(trials, expectation.as_slice()[0] / trials as f64)
    }

    /// n p (1 - p).
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, self.trials as f64 * self.success * (1.0 - self.success))
    }
}

impl Distribution<u64> for Binomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.sampler.sample(rng)
    }
}
