//! Multinomial distribution on vectors of K counts with sum n.

use std::f64::consts::TAU;

use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::{ln_multinomial, poisson_deviance, stirling_remainder};

#[cfg(feature = "linalg")]
use crate::discrete::covariance_of_counts;
use crate::discrete::{Categorical, draw_binomial};
use crate::prelude::*;

/// The distribution of how often each of K categories comes up in n independent draws.
///
/// # Density
/// P(x) = n! / Π x_k! · Π p_k^{x_k}
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | n | `trials` | 0, 1, 2, … | `size` (R), `n` (SciPy), Σ `y` (Stan) |
/// | p | `categories` | a [`Categorical`] | `prob` (R), `p` (SciPy), `theta` (Stan) |
///
/// # Moments
/// mean n p_k, covariance n (δ_kl p_k - p_k p_l); the entropy has no closed form and is not here
///
/// # Numerics
/// This is the density of a *vector of counts*, with the multinomial coefficient; a sequence of categories
/// has none, see [`Categorical`]. It is a saddle-point form (Loader's, for K cells), whose error does not
/// grow with n. Draws are K - 1 conditional binomials.
///
/// # Example
/// ```
/// use posterior_dist::{Categorical, Density, Multinomial};
///
/// let distribution = Multinomial::new(3, Categorical::from_weights(&[1.0, 1.0, 2.0])?);
/// assert!((distribution.ln_pdf(&[1, 1, 1]) - (6.0_f64 / 32.0).ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Multinomial {
    trials: u64,
    categories: Categorical,
    /// p_k / (p_k + … + p_{K-1}), the probabilities of the conditional binomials.
    conditional: Vec<f64>,
    /// ½ ln 2πn + Δ(n), or zero without trials.
    ln_norm: f64,
}

/// What a family of multinomials holds fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MultinomialSize {
    /// The number of trials.
    pub trials: u64,
    /// The number of categories.
    pub categories: usize,
}

impl Multinomial {
    /// n draws from `categories`.
    pub fn new(trials: u64, categories: Categorical) -> Self {
        let mut conditional = categories.probabilities().to_vec();
        to_conditional(&mut conditional);
        let n = trials as f64;
        let ln_norm = if trials == 0 { 0.0 } else { 0.5 * (TAU * n).ln() + stirling_remainder(n) };
        Self { trials, categories, conditional, ln_norm }
    }

    /// The number of draws.
    pub const fn trials(&self) -> u64 {
        self.trials
    }

    /// The distribution of one draw.
    pub const fn categories(&self) -> &Categorical {
        &self.categories
    }

    /// ln p^x / x! and what Stirling's formula takes of n!, for one cell.
    fn ln_cell(&self, k: usize, count: u64) -> f64 {
        let (n, x) = (self.trials as f64, count as f64);
        let mean = n * self.categories.probabilities()[k];
        if count == 0 {
            return -mean;
        }
        let deviance = if mean >= f64::MIN_POSITIVE {
            poisson_deviance(x, mean)
        } else {
            x * (x.ln() - n.ln() - self.categories.ln_probabilities()[k]) - x + mean
        };
        -deviance - 0.5 * (TAU * x).ln() - stirling_remainder(x)
    }
}

impl Density for Multinomial {
    type Point = [u64];

    fn ln_pdf(&self, x: &[u64]) -> f64 {
        if x.len() != self.conditional.len() || checked_sum(x) != Some(self.trials) {
            return f64::NEG_INFINITY;
        }
        if self.trials == 0 {
            return 0.0;
        }
        self.ln_norm + x.iter().enumerate().map(|(k, &count)| self.ln_cell(k, count)).sum::<f64>()
    }
}

/// The sum of counts, unless it overflows.
pub(crate) fn checked_sum(counts: &[u64]) -> Option<u64> {
    counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))
}

#[cfg(feature = "linalg")]
impl Moments<Vec<f64>, DMatrix<f64>> for Multinomial {
    fn mean(&self) -> Option<Vec<f64>> {
        Some(self.categories.probabilities().iter().map(|p| self.trials as f64 * p).collect())
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        Some(covariance_of_counts(self.trials as f64, self.categories.probabilities()))
    }
}

impl ExponentialFamily for Multinomial {
    type Fixed = MultinomialSize;
    type Summary = Sums;

    fn fixed(&self) -> MultinomialSize {
        MultinomialSize { trials: self.trials, categories: self.conditional.len() }
    }

    fn statistic_len(fixed: &MultinomialSize) -> usize {
        fixed.categories
    }

    fn check_point(fixed: &MultinomialSize, x: &[u64]) -> Result<(), ParamError> {
        let fits = x.len() == fixed.categories;
        check::require(fits, "Multinomial", "length", x.len() as f64, "the number of categories")?;
        let sum = x.iter().map(|&count| count as f64).sum();
        let complete = checked_sum(x) == Some(fixed.trials);
        check::require(complete, "Multinomial", "sum of counts", sum, "the number of trials").map(drop)
    }

    /// The statistic x.
    fn add_statistic(_: &MultinomialSize, x: &[u64], weight: f64, sum: &mut [f64]) {
        for (total, &count) in sum.iter_mut().zip(x) {
            *total += weight * count as f64;
        }
    }

    /// The logarithm of the base measure ln (n! / Π x_k!).
    fn ln_base(_: &MultinomialSize, x: &[u64]) -> f64 {
        ln_multinomial(x)
    }

    /// The log partition function n ln Σ exp(w_k).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let trials = natural.fixed().trials;
        if trials == 0 { 0.0 } else { trials as f64 * ln_sum_exp(natural.as_slice()) }
    }

    /// The natural parameters ln p.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.fixed(), self.categories.ln_probabilities().to_vec())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Ok(Self::new(natural.fixed().trials, Categorical::from_ln_weights(natural.as_slice())?))
    }

    /// The expectation of the statistic n p.
    fn expectation(&self) -> Expectation<Self> {
        let n = self.trials as f64;
        Expectation::of(self.fixed(), self.categories.probabilities().iter().map(|p| n * p).collect())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let trials = expectation.fixed().trials;
        check::require(trials > 0, "Multinomial", "trials", 0.0, "positive, to find p by")?;
        let p: Vec<f64> = expectation.as_slice().iter().map(|mean| mean / trials as f64).collect();
        Ok(Self::new(trials, Categorical::from_probabilities(&p)?))
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Multinomial {
    /// The Fisher information n (diag(p) - p pᵀ).
    fn fisher_information(&self) -> DMatrix<f64> {
        covariance_of_counts(self.trials as f64, self.categories.probabilities())
    }
}

impl Distribution<Vec<u64>> for Multinomial {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<u64> {
        sample_counts(self.trials, &self.conditional, rng)
    }
}

/// Turns p_k into p_k / (p_k + … + p_{K-1}).
pub(crate) fn to_conditional(probabilities: &mut [f64]) {
    let mut tail = 0.0;
    for p in probabilities.iter_mut().rev() {
        tail += *p;
        *p = if tail > 0.0 { *p / tail } else { 0.0 };
    }
}

/// Counts of n draws by conditional binomials: cell k takes its proportion of what the cells before it left.
pub(crate) fn sample_counts<R: Rng + ?Sized>(trials: u64, conditional: &[f64], rng: &mut R) -> Vec<u64> {
    let mut left = trials;
    conditional
        .iter()
        .map(|&p| {
            let count = match (left, p) {
                (0, _) | (_, 0.0) => 0,
                (_, p) if p >= 1.0 => left,
                _ => draw_binomial(left, p, rng),
            };
            left -= count;
            count
        })
        .collect()
}
