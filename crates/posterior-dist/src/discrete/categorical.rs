//! Categorical distribution on {0, 1, …, K - 1}.

use std::ops::Range;

use posterior_math::log_space::{ln_softmax_in_place, ln_sum_exp};

use crate::cumulative::{CumulativeTable, check_weights};
use crate::moments::weighted;
use crate::prelude::*;

/// How far from one the sum of given probabilities may be.
const SUM_TOLERANCE: f64 = 1e-9;

/// The distribution of one of K categories.
///
/// # Density
/// P(k) = p_k
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | p | `probabilities` | p_k ≥ 0, Σ p_k = 1 | `prob` (R), `p` (SciPy `multinomial`, n = 1), `theta` (Stan) |
///
/// # Moments
/// none, for the numbers of the categories are names; entropy -Σ p_k ln p_k
///
/// # Numerics
/// Probabilities and their logarithms are both held, so that log weights below -745 keep their value. A draw
/// is a binary search in the cumulative table; for many draws see [`AliasTable`](crate::AliasTable).
///
/// The likelihood of a *sequence* of categories has no multinomial coefficient; that of a vector of counts
/// has one, and is [`Multinomial`](crate::Multinomial).
///
/// # Example
/// ```
/// use posterior_dist::{Categorical, Density, Entropy};
///
/// let distribution = Categorical::from_weights(&[1.0, 1.0, 2.0])?;
/// assert_eq!(distribution.ln_pdf(&2), 0.5_f64.ln());
/// assert!((distribution.entropy() - 1.5 * 2_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Categorical {
    probabilities: Vec<f64>,
    ln_probabilities: Vec<f64>,
    table: CumulativeTable,
}

impl Categorical {
    /// The distribution with these probabilities, which are divided by their sum.
    ///
    /// # Errors
    /// If there are none, one is negative, infinite or NaN, or their sum is not within 1e-9 of one.
    pub fn from_probabilities(probabilities: &[f64]) -> Result<Self, ParamError> {
        let sum = check_weights("Categorical", "probabilities", probabilities)?;
        let near_one = (sum - 1.0).abs() <= SUM_TOLERANCE;
        check::require(near_one, "Categorical", "sum of probabilities", sum, "within 1e-9 of 1")?;
        Self::from_weights(probabilities)
    }

    /// The distribution with these probabilities, as they are where their sum is 1 but for rounding: so that
    /// what was written is read back bit by bit.
    pub(crate) fn from_written(probabilities: &[f64]) -> Result<Self, ParamError> {
        let distribution = Self::from_probabilities(probabilities)?;
        let sum: f64 = probabilities.iter().sum();
        if (sum - 1.0).abs() > f64::EPSILON * probabilities.len() as f64 {
            return Ok(distribution);
        }
        let ln_probabilities = probabilities.iter().map(|p| p.ln()).collect();
        let table = CumulativeTable::from_weights(probabilities)?;
        Ok(Self { probabilities: probabilities.to_vec(), ln_probabilities, table })
    }

    /// The distribution with probabilities proportional to these weights.
    ///
    /// # Errors
    /// If there are none, one is negative, infinite or NaN, or their sum is zero or infinite.
    pub fn from_weights(weights: &[f64]) -> Result<Self, ParamError> {
        let sum = check_weights("Categorical", "weight", weights)?;
        let probabilities: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
        // Where the quotient underflows its logarithm does not.
        let ln_probability = |(&p, &weight): (&f64, &f64)| {
            if p < f64::MIN_POSITIVE { weight.ln() - sum.ln() } else { p.ln() }
        };
        let ln_probabilities = probabilities.iter().zip(weights).map(ln_probability).collect();
        let table = CumulativeTable::from_weights(&probabilities)?;
        Ok(Self { probabilities, ln_probabilities, table })
    }

    /// The distribution with probabilities proportional to the exponentials of these log weights; -∞ is a
    /// weight of zero.
    ///
    /// # Errors
    /// If there are none, one is +∞ or NaN, or all are -∞.
    pub fn from_ln_weights(ln_weights: &[f64]) -> Result<Self, ParamError> {
        let ln_sum = ln_sum_exp(ln_weights);
        check::finite("Categorical", "ln of the sum of weights", ln_sum)?;
        let mut ln_probabilities = ln_weights.to_vec();
        ln_softmax_in_place(&mut ln_probabilities);
        let probabilities: Vec<f64> = ln_probabilities.iter().map(|ln_p| ln_p.exp()).collect();
        let table = CumulativeTable::from_weights(&probabilities)?;
        Ok(Self { probabilities, ln_probabilities, table })
    }

    /// The number of categories.
    pub const fn categories(&self) -> usize {
        self.probabilities.len()
    }

    /// The probabilities.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The logarithms of the probabilities.
    pub fn ln_probabilities(&self) -> &[f64] {
        &self.ln_probabilities
    }

    /// The first category beyond x.
    fn beyond(&self, x: f64) -> usize {
        if x < 0.0 { 0 } else { (x as usize).saturating_add(1).min(self.categories()) }
    }

    /// ln of the probability of these categories, also where the probability itself is too small for f64; NaN
    /// for NaN.
    fn ln_sum(&self, x: f64, categories: Range<usize>) -> f64 {
        if x.is_nan() { x } else { ln_sum_exp(&self.ln_probabilities[categories]) }
    }
}

impl Density for Categorical {
    type Point = usize;

    fn ln_pdf(&self, &k: &usize) -> f64 {
        self.ln_probabilities.get(k).copied().unwrap_or(f64::NEG_INFINITY)
    }
}

impl Univariate for Categorical {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            x
        } else if x < 0.0 {
            0.0
        } else if x >= (self.categories() - 1) as f64 {
            1.0
        } else {
            (self.table.up_to(x as usize) / self.table.total()).min(1.0)
        }
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            x
        } else if x < 0.0 {
            1.0
        } else {
            self.probabilities[self.beyond(x)..].iter().rev().sum::<f64>().min(1.0)
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        if !(0.0..=1.0).contains(&p) {
            return f64::NAN;
        }
        let least = self.probabilities.iter().position(|&p| p > 0.0).unwrap_or_default();
        self.table.reaches(p).max(least) as f64
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if !(0.0..=1.0).contains(&q) {
            return f64::NAN;
        }
        // From the top down: the last k that must be included before the tail beyond it exceeds q.
        let mut tail = 0.0;
        let mut least = None;
        for (k, &p) in self.probabilities.iter().enumerate().rev() {
            if f64::min(tail, 1.0) > q {
                break;
            }
            if p > 0.0 {
                least = Some(k);
            }
            tail += p;
        }
        least.unwrap_or_default() as f64
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let upper = self.sf(x);
        if upper < 0.5 { (-upper).ln_1p() } else { self.ln_sum(x, 0..self.beyond(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { self.ln_sum(x, self.beyond(x)..self.categories()) }
    }
}

impl Entropy for Categorical {
    fn entropy(&self) -> f64 {
        -self
            .probabilities
            .iter()
            .zip(&self.ln_probabilities)
            .map(|(&p, &ln_p)| weighted(p, ln_p))
            .sum::<f64>()
    }
}

impl Mode for Categorical {
    fn mode(&self) -> Option<usize> {
        let highest = self.ln_probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut modes = (0..self.categories()).filter(|&k| self.ln_probabilities[k] == highest);
        let mode = modes.next();
        if modes.next().is_some() { None } else { mode }
    }
}

impl KlDivergence for Categorical {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.categories() != other.categories() {
            return f64::INFINITY;
        }
        let ln_ratios = self.ln_probabilities.iter().zip(&other.ln_probabilities).map(|(a, b)| a - b);
        self.probabilities.iter().zip(ln_ratios).map(|(&p, ln_ratio)| weighted(p, ln_ratio)).sum()
    }
}

impl ExponentialFamily for Categorical {
    /// The number of categories.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.categories()
    }

    fn statistic_len(&categories: &usize) -> usize {
        categories
    }

    fn check_point(&categories: &usize, &k: &usize) -> Result<(), ParamError> {
        let requirement = "less than the number of categories";
        check::require(k < categories, "Categorical", "category", k as f64, requirement).map(drop)
    }

    /// One at k, zero elsewhere.
    fn add_statistic(_: &usize, &k: &usize, weight: f64, sum: &mut [f64]) {
        sum[k] += weight;
    }

    /// ln Σ exp(w_k): zero at w = ln p, and defined for every w, K of which are one more than needed.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        ln_sum_exp(natural.as_slice())
    }

    /// The natural parameters ln p.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.categories(), self.ln_probabilities.clone())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::from_ln_weights(natural.as_slice())
    }

    /// The expectation of the statistic p.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.categories(), self.probabilities.clone())
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::from_probabilities(expectation.as_slice())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Categorical {
    /// The Fisher information diag(p) - p pᵀ.
    fn fisher_information(&self) -> DMatrix<f64> {
        covariance_of_counts(1.0, &self.probabilities)
    }
}

impl Stats<Categorical> {
    /// The statistics of a sequence in which category k came up `counts[k]` times.
    ///
    /// ```
    /// use posterior_dist::{Categorical, Stats};
    ///
    /// assert_eq!(Stats::of_counts(&[1, 0, 2]), Stats::<Categorical>::of(3, &[0, 2, 2])?);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn of_counts(counts: &[u64]) -> Self {
        let sum: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let weight = sum.iter().sum();
        Self::from_summary(counts.len(), Sums { sum, weight }, 0.0)
    }
}

/// n (diag(p) - p pᵀ), the covariance of how often each category comes up.
#[cfg(feature = "linalg")]
pub(crate) fn covariance_of_counts(trials: f64, p: &[f64]) -> DMatrix<f64> {
    let entry = |k: usize, l: usize| trials * if k == l { p[k] * (1.0 - p[k]) } else { -p[k] * p[l] };
    DMatrix::from_fn(p.len(), p.len(), entry)
}

impl Distribution<usize> for Categorical {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        self.table.sample(rng)
    }
}
