//! Poisson-binomial distribution on {0, …, n}.

mod wide;

use posterior_math::check::each;
use rand::RngExt;
use wide::Wide;

use super::steps::stepwise;
use crate::grammar::written;
use crate::inversion::from_end_to_end;
use crate::moments::weighted;
use crate::prelude::*;

/// The distribution of the number of successes in independent trials of different probabilities: of
/// defaulting loans, or of seats won.
///
/// # Density
/// Σ over all sets of k trials of the product of their pᵢ and of 1 - pᵢ of the others
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | p | `probabilities`, one of each trial | [0, 1] | `p` (SciPy's `poisson_binom`), `pp` (R's poibin) |
///
/// # Moments
/// With qᵢ = 1 - pᵢ: mean Σ pᵢ, variance Σ pᵢ qᵢ, skewness Σ pᵢ qᵢ (qᵢ - pᵢ) / σ³, excess kurtosis Σ pᵢ qᵢ (1
/// - 6 pᵢ qᵢ) / σ⁴
///
/// # Numerics
/// The constructor adds one trial after the other, O(n²), to a table of all masses and both tails: sums of
/// products of positive numbers in a range wider than f64's, so that each has full relative precision,
/// however small. The Fourier transform, which is faster, has absolute precision only.
///
/// # Example
/// ```
/// use posterior_dist::{PoissonBinomial, Univariate};
///
/// let wins = PoissonBinomial::new(&[0.5, 0.8, 0.1])?;
/// assert!((wins.sf(2.0) - 0.04).abs() < 1e-16);
/// assert_eq!(wins.to_string(), "poisson_binomial([0.5, 0.8, 0.1])");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PoissonBinomial {
    probabilities: Vec<f64>,
    /// P(k), P(X ≤ k) and P(X > k).
    masses: Vec<Wide>,
    lower: Vec<Wide>,
    upper: Vec<Wide>,
    /// The least and the largest count that can be.
    ends: [usize; 2],
}

impl PoissonBinomial {
    /// The probability of success of each trial.
    ///
    /// # Errors
    /// If there are none, or one is not from 0 to 1.
    pub fn new(probabilities: &[f64]) -> Result<Self, ParamError> {
        check::at_least_one("PoissonBinomial", "number of probabilities", probabilities.len())?;
        each(probabilities, |p| check::probability("PoissonBinomial", "probabilities", p))?;
        let masses = masses(probabilities);
        let running = |sum: &mut Wide, mass: Wide| {
            *sum = sum.plus(mass);
            Some(*sum)
        };
        let lower: Vec<Wide> = masses.iter().copied().scan(Wide::ZERO, running).collect();
        // P(X > n) is zero.
        let mut upper: Vec<Wide> = masses[1..].iter().rev().copied().scan(Wide::ZERO, running).collect();
        upper.reverse();
        upper.push(Wide::ZERO);
        let certain = probabilities.iter().filter(|&&p| p == 1.0).count();
        let impossible = probabilities.iter().filter(|&&p| p == 0.0).count();
        let ends = [certain, probabilities.len() - impossible];
        Ok(Self { probabilities: probabilities.to_vec(), masses, lower, upper, ends })
    }

    /// The probability of each trial.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The number of trials.
    pub const fn trials(&self) -> usize {
        self.probabilities.len()
    }

    /// Σ `f`(pᵢ (1 - pᵢ), 1 - 2pᵢ).
    fn over_trials(&self, f: impl Fn(f64, f64) -> f64) -> f64 {
        self.probabilities.iter().map(|&p| f(p * (1.0 - p), 1.0 - 2.0 * p)).sum()
    }

    /// ln P(k): where that is next to one, by what is left.
    fn ln_mass(&self, k: usize) -> f64 {
        if self.masses[k].value() < 0.5 {
            return self.masses[k].ln();
        }
        let below = if k > 0 { self.lower[k - 1] } else { Wide::ZERO };
        (-below.plus(self.upper[k]).value()).ln_1p()
    }

    /// The place of a count in the tables.
    fn place(&self, k: f64) -> usize {
        (k as usize).min(self.trials())
    }
}

/// The masses of 0, …, n.
fn masses(probabilities: &[f64]) -> Vec<Wide> {
    let mut masses = vec![Wide::ZERO; probabilities.len() + 1];
    masses[0] = Wide::of(1.0);
    for (seen, &p) in probabilities.iter().enumerate() {
        let (success, failure) = (Wide::of(p), Wide::of(1.0 - p));
        for k in (1..=seen + 1).rev() {
            masses[k] = masses[k].times(failure).plus(masses[k - 1].times(success));
        }
        masses[0] = masses[0].times(failure);
    }
    masses
}

written!(PoissonBinomial, "poisson_binomial", new(probabilities: numbers));

impl Density for PoissonBinomial {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        let place = usize::try_from(k).ok().filter(|&k| k <= self.trials());
        place.map_or(f64::NEG_INFINITY, |k| self.ln_mass(k))
    }
}

impl Univariate for PoissonBinomial {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.lower[self.place(k)].value())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.upper[self.place(k)].value())
    }

    fn quantile(&self, p: f64) -> f64 {
        let ends = self.ends.map(|end| end as f64);
        from_end_to_end(p, ends, || {
            (self.lower.partition_point(|lower| lower.value() < p) as f64).min(ends[1])
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let [low, high] = self.ends.map(|end| end as f64);
        from_end_to_end(q, [high, low], || {
            (self.upper.partition_point(|upper| upper.value() > q) as f64).max(low)
        })
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| {
            let upper = self.upper[self.place(k)].value();
            if upper < 0.5 { (-upper).ln_1p() } else { self.lower[self.place(k)].ln() }
        })
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| {
            let lower = self.lower[self.place(k)].value();
            if lower < 0.5 { (-lower).ln_1p() } else { self.upper[self.place(k)].ln() }
        })
    }
}

impl Moments for PoissonBinomial {
    fn mean(&self) -> Option<f64> {
        Some(self.probabilities.iter().sum())
    }

    fn variance(&self) -> Option<f64> {
        Some(self.over_trials(|product, _| product))
    }
}

impl Shape for PoissonBinomial {
    fn skewness(&self) -> Option<f64> {
        let variance = self.variance().filter(|&variance| variance > 0.0)?;
        Some(self.over_trials(|product, lean| product * lean) / variance / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let variance = self.variance().filter(|&variance| variance > 0.0)?;
        Some(self.over_trials(|product, _| product * (1.0 - 6.0 * product)) / variance / variance)
    }
}

impl Entropy for PoissonBinomial {
    fn entropy(&self) -> f64 {
        let terms = self.masses.iter().enumerate().map(|(k, mass)| weighted(mass.value(), self.ln_mass(k)));
        0.0 - terms.sum::<f64>()
    }
}

impl Mode for PoissonBinomial {
    /// `None` where the two most probable counts have one probability.
    fn mode(&self) -> Option<u64> {
        let ln_largest = self.masses.iter().map(|mass| mass.ln()).fold(f64::NEG_INFINITY, f64::max);
        let mut modes = (0_u64..).zip(&self.masses).filter(|(_, mass)| mass.ln() == ln_largest);
        let mode = modes.next().map(|(k, _)| k);
        mode.filter(|_| modes.next().is_none())
    }
}

impl Distribution<u64> for PoissonBinomial {
    /// By inversion, O(log n).
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let u: f64 = rng.random();
        (self.lower.partition_point(|lower| lower.value() <= u) as u64)
            .clamp(self.ends[0] as u64, self.ends[1] as u64)
    }
}
