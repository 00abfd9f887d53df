//! How far the distribution function of uniform ranks strays, at all ranks at once.

use posterior_dist::{Binomial, Univariate};
use posterior_math::check::{self, ParamError};
use posterior_math::special::ln_factorial;

/// Bisections of the logarithm of a level.
const BISECTIONS: usize = 24;

/// Tails that differ by less, relatively, are equal: those of mirrored ranks are, up to rounding.
const SAME_TAIL: f64 = 1e-9;

/// A p-value below this one has too few digits as one minus a probability.
const LEAST_DIFFERENCE: f64 = 1e-10;

/// A simultaneous band of the distribution function of uniform ranks, less its mean.
///
/// Each count has a binomial distribution, and the same pointwise probability γ to leave the band; γ is the
/// largest one for which all stay in it with the given probability. That probability is exact: the counts are
/// a Markov chain from rank to rank. O(L n) binomial probabilities for each of some twenty γ, n simulations
/// and L draws.
///
/// # References
/// Säilynoja, Bürkner & Vehtari 2022, section 2.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EcdfBand {
    /// The mean (r + 1) / (L + 1), for the ranks r from 0 to L - 1.
    pub points: Vec<f64>,
    /// The least difference in the band.
    pub lower: Vec<f64>,
    /// The largest difference in the band.
    pub upper: Vec<f64>,
    /// γ: the probability to leave the band at a given rank is no more than this.
    pub pointwise: f64,
    /// The probability to stay in the band everywhere: as asked or, because counts are whole, a bit more.
    pub probability: f64,
}

impl EcdfBand {
    /// The band for as many simulations, whose ranks are among as many draws, that holds with this
    /// probability.
    ///
    /// # Errors
    /// No simulation, no draw, or a probability that is not in (0, 1).
    pub fn new(simulations: usize, draws: usize, probability: f64) -> Result<Self, ParamError> {
        check::require(simulations > 0, "EcdfBand", "simulations", simulations as f64, "positive")?;
        check::require(draws > 0, "EcdfBand", "draws", draws as f64, "positive")?;
        check::open_probability("EcdfBand", "probability", probability)?;
        let n = simulations as u64;
        let distributions = distributions(n, draws);
        let stays = |gamma: f64| probability_inside(&limits(&distributions, gamma), n);
        // By Bonferroni the lower end is not too large; the upper one is that of a single rank.
        let level = 1.0 - probability;
        let (mut low, mut high) = ((level / draws as f64).ln(), level.ln());
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            *(if stays(middle.exp()) >= probability { &mut low } else { &mut high }) = middle;
        }
        let limits = limits(&distributions, low.exp());
        let difference = |count: u64, point: f64| count as f64 / simulations as f64 - point;
        let points: Vec<f64> = (1..=draws).map(|r| r as f64 / (draws + 1) as f64).collect();
        let side = |count: fn(&(u64, u64)) -> u64| {
            limits.iter().zip(&points).map(|(limits, &point)| difference(count(limits), point)).collect()
        };
        Ok(Self {
            lower: side(|limits| limits.0),
            upper: side(|limits| limits.1),
            points,
            pointwise: low.exp(),
            probability: probability_inside(&limits, n),
        })
    }

    /// The first rank at which these differences leave the band.
    pub fn first_outside(&self, differences: &[f64]) -> Option<usize> {
        let rounding = 1e-12;
        let inside = |r: usize, difference: f64| {
            (self.lower[r] - rounding..=self.upper[r] + rounding).contains(&difference)
        };
        differences.iter().take(self.points.len()).enumerate().find(|&(r, &d)| !inside(r, d)).map(|(r, _)| r)
    }
}

/// P(γ ≤ that of these counts) for uniform ranks, where γ is the smallest of all two-sided tails; an upper
/// bound, the sum of all tails, below 1e-10.
pub(super) fn p_value(cumulative_counts: &[u64], simulations: u64) -> f64 {
    let distributions = distributions(simulations, cumulative_counts.len());
    let tail = |(distribution, &count): (&Binomial, &u64)| {
        let below = distribution.cdf(count as f64);
        let above = if count == 0 { 1.0 } else { distribution.sf(count as f64 - 1.0) };
        2.0 * below.min(above)
    };
    let gamma = distributions.iter().zip(cumulative_counts).map(tail).fold(1.0, f64::min);
    if gamma >= 1.0 {
        return 1.0;
    }
    let limits = limits(&distributions, gamma);
    let leaves = |(distribution, &(low, high)): (&Binomial, &(u64, u64))| {
        let below = if low == 0 { 0.0 } else { distribution.cdf(low as f64 - 1.0) };
        below + distribution.sf(high as f64)
    };
    let at_most: f64 = distributions.iter().zip(&limits).map(leaves).sum();
    if at_most < LEAST_DIFFERENCE {
        return at_most;
    }
    let outside = 1.0 - probability_inside(&limits, simulations);
    if outside < LEAST_DIFFERENCE { at_most.min(1.0) } else { outside.min(1.0) }
}

/// The distributions of the cumulative counts at the ranks 0 to L - 1.
fn distributions(simulations: u64, draws: usize) -> Vec<Binomial> {
    let distribution = |r: usize| Binomial::new(simulations, r as f64 / (draws + 1) as f64);
    (1..=draws).filter_map(|r| distribution(r).ok()).collect()
}

/// The least and the largest count whose tails are both more than γ/2.
fn limits(distributions: &[Binomial], gamma: f64) -> Vec<(u64, u64)> {
    let tail = 0.5 * gamma * (1.0 + SAME_TAIL);
    distributions
        .iter()
        .map(|distribution| (distribution.quantile(tail) as u64, distribution.upper_quantile(tail) as u64))
        .collect()
}

/// The probability that the counts of uniform ranks are within their limits everywhere.
///
/// Given the count x up to a rank, the next rank takes each of the n - x others with the same probability:
/// one over the ranks that are left.
fn probability_inside(limits: &[(u64, u64)], simulations: u64) -> f64 {
    let ln_factorials: Vec<f64> = (0..=simulations).map(ln_factorial).collect();
    let mut distribution = vec![1.0];
    let mut first = 0;
    for (r, &(low, high)) in limits.iter().enumerate() {
        if high < low {
            return 0.0;
        }
        let p = 1.0 / (limits.len() + 1 - r) as f64;
        let (ln_p, ln_q) = (p.ln(), (-p).ln_1p());
        let mut next = vec![0.0; (high - low + 1) as usize];
        for (count, &mass) in (first..).zip(&distribution).filter(|&(_, &mass)| mass > 0.0) {
            let left = simulations - count;
            for to in low.max(count)..=high {
                let (k, rest) = ((to - count) as usize, (simulations - to) as usize);
                let ln_ways = ln_factorials[left as usize] - ln_factorials[k] - ln_factorials[rest];
                next[(to - low) as usize] += mass * (ln_ways + k as f64 * ln_p + rest as f64 * ln_q).exp();
            }
        }
        (distribution, first) = (next, low);
    }
    distribution.iter().sum()
}
