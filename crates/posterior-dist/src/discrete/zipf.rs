//! Zipf's distribution on {1, …, n}.

use super::smooth_sum::{Extent, Tails, smooth_sum};
use super::steps::{Search, Tail, stepwise};
use super::zeta::central;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the rank of one of n things whose frequencies are powers of their ranks: of the words
/// of a vocabulary. SciPy calls it `zipfian`; [`Zeta`](crate::Zeta) has no last rank.
///
/// # Density
/// P(k) = k⁻ˢ / H, H = Σ j⁻ˢ over j = 1, …, n
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | s | `exponent` | not negative | `a` (SciPy's `zipfian`), `shape` (R's VGAM) |
/// | n | `elements` | 1, 2, … | `n` (SciPy's `zipfian`), `N` (R's VGAM) |
///
/// # Moments
/// E Xʲ = Σ kʲ⁻ˢ / H; mode 1 for s > 0, entropy ln H + s E ln X
///
/// # Numerics
/// Sums over ranks take some hundred terms however many there are: single ones at both ends, and Gauss's rule
/// between.
///
/// # Example
/// ```
/// use posterior_dist::{Univariate, Zipf};
///
/// let words = Zipf::new(1.0, 3)?; // 6/11, 3/11, 2/11
/// assert!((words.cdf(2.0) - 9.0 / 11.0).abs() < 1e-15);
/// assert_eq!(words.to_string(), "zipf(1, 3)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zipf {
    exponent: f64,
    elements: u64,
    /// H, its logarithm, E X and E ln X.
    sum: f64,
    ln_sum: f64,
    mean: f64,
    mean_ln: f64,
    sampler: rand_distr::Zipf<f64>,
}

impl Zipf {
    /// s = exponent and n = elements.
    ///
    /// # Errors
    /// If the exponent is negative or not finite, or there are no elements.
    pub fn new(exponent: f64, elements: u64) -> Result<Self, ParamError> {
        check::non_negative("Zipf", "exponent", exponent)?;
        check::at_least_one("Zipf", "elements", elements)?;
        let sampler = rand_distr::Zipf::new(elements as f64, exponent)
            .map_err(|_| ParamError::new("Zipf", "exponent", exponent, "not negative and finite"))?;
        let mut distribution =
            Self { exponent, elements, sum: 1.0, ln_sum: 0.0, mean: 1.0, mean_ln: 0.0, sampler };
        let others = distribution.over_ranks(|_| 1.0);
        (distribution.sum, distribution.ln_sum) = (1.0 + others, others.ln_1p());
        distribution.mean += distribution.over_ranks(|k| k - 1.0) / distribution.sum;
        distribution.mean_ln = distribution.over_ranks(f64::ln) / distribution.sum;
        Ok(distribution)
    }

    /// Σ `value`(k) k⁻ˢ from the second rank on.
    fn over_ranks(&self, value: impl Fn(f64) -> f64) -> f64 {
        let last = self.elements as f64;
        if last < 2.0 {
            return 0.0;
        }
        let term = |base: f64, offset: f64| {
            let k = base + offset;
            value(k) * k.powf(-self.exponent)
        };
        smooth_sum(term, 2.0, last, last)
    }

    /// The logarithm of the density, also between the ranks.
    fn ln_mass(&self, k: f64) -> f64 {
        -self.exponent * k.ln() - self.ln_sum
    }

    fn tails(&self, k: f64) -> Tails {
        if k < 1.0 {
            return Tails { ln_lower: f64::NEG_INFINITY, ln_upper: 0.0 };
        }
        let last = self.elements as f64;
        let extent = Extent { low: 1.0, high: last, mode: 1.0, scale: last };
        extent.tails(self.mean, k, |base, offset| self.ln_mass(base + offset))
    }

    /// Variance, third and fourth central moment.
    fn central(&self) -> [f64; 3] {
        central([1, 2, 3, 4].map(|j| self.over_ranks(|k| (k - 1.0).powi(j)) / self.sum))
    }

    fn search(&self) -> Search {
        let [variance, ..] = self.central();
        let ends = [1.0, self.elements as f64];
        Search { ends, mean: self.mean, sd: variance.max(0.0).sqrt(), skewness: 0.0, excess: 0.0 }
    }
}

parametric! { Zipf, "zipf", new:
    /// The exponent s.
    exponent: f64,
    /// The number of elements n.
    elements: u64,
}

impl Density for Zipf {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        if (1..=self.elements).contains(&k) { self.ln_mass(k as f64) } else { f64::NEG_INFINITY }
    }
}

impl ParameterGradient for Zipf {
    type Gradient = [f64; 2];

    /// By the exponent; the number of elements has no derivative.
    fn parameter_gradient(&self, &k: &u64) -> [f64; 2] {
        let inside = (1..=self.elements).contains(&k);
        [if inside { self.mean_ln - (k as f64).ln() } else { f64::NAN }, f64::NAN]
    }
}

impl Univariate for Zipf {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.tails(k).ln_lower.exp())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.tails(k).ln_upper.exp())
    }

    fn quantile(&self, p: f64) -> f64 {
        self.search().quantile(p, |k| Tail::of_ln(self.ln_cdf(k), self.ln_mass(k)))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.search().upper_quantile(q, |k| Tail::of_ln(self.ln_sf(k), self.ln_mass(k)))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| self.tails(k).ln_lower)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| self.tails(k).ln_upper)
    }
}

impl Moments for Zipf {
    fn mean(&self) -> Option<f64> {
        Some(self.mean)
    }

    fn variance(&self) -> Option<f64> {
        let [variance, ..] = self.central();
        Some(variance.max(0.0))
    }
}

impl Shape for Zipf {
    fn skewness(&self) -> Option<f64> {
        let [variance, third, _] = self.central();
        (variance > 0.0).then(|| third / variance / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [variance, _, fourth] = self.central();
        (variance > 0.0).then(|| fourth / variance / variance - 3.0)
    }
}

impl Entropy for Zipf {
    fn entropy(&self) -> f64 {
        self.exponent * self.mean_ln + self.ln_sum
    }
}

impl Mode for Zipf {
    /// `None` for the exponent 0, where all ranks are equally frequent.
    fn mode(&self) -> Option<u64> {
        (self.exponent > 0.0 || self.elements == 1).then_some(1)
    }
}

impl Distribution<u64> for Zipf {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        (self.sampler.sample(rng) as u64).clamp(1, self.elements)
    }
}
