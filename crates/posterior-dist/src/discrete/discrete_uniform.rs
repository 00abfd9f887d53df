//! Uniform distribution on the whole numbers {low, low + 1, …, high}.

use rand::RngExt;

use super::steps::{least_count, stepwise};
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of a whole number between two bounds, both included, each as probable as the others.
///
/// # Density
/// P(k) = 1/n with n = high - low + 1
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | low | `low` | 0, 1, 2, … | `low` (SciPy), `lower` (Stan) |
/// | high | `high` | low, low + 1, … | `high` - 1 (SciPy), `upper` (Stan) |
///
/// # Moments
/// mean (low + high)/2, variance (n² - 1)/12, skewness 0, excess kurtosis -6 (n² + 1)/(5 (n² - 1)), entropy
/// ln n, no mode unless n = 1
///
/// # Numerics
/// Numbers beyond 2⁵³ are rounded in the distribution function and in the quantiles, draws are exact.
///
/// # Example
/// ```
/// use posterior_dist::{DiscreteUniform, Univariate};
///
/// let die = DiscreteUniform::new(1, 6)?;
/// assert_eq!(die.sf(4.0), 1.0 / 3.0);
/// assert_eq!(die.quantile(0.5), 3.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteUniform {
    low: u64,
    high: u64,
}

impl DiscreteUniform {
    /// From low to high, both included.
    ///
    /// # Errors
    /// If high is less than low.
    pub fn new(low: u64, high: u64) -> Result<Self, ParamError> {
        check::require(low <= high, "DiscreteUniform", "high", high as f64, "at least low")?;
        Ok(Self { low, high })
    }

    /// n, how many numbers there are.
    fn count(&self) -> f64 {
        (self.high - self.low) as f64 + 1.0
    }

    /// How many numbers are up to k, and how many are beyond.
    fn split(&self, k: f64) -> [f64; 2] {
        let (low, high) = (self.low as f64, self.high as f64);
        if k < low {
            [0.0, self.count()]
        } else if k >= high {
            [self.count(), 0.0]
        } else {
            [k - low + 1.0, high - k]
        }
    }

    /// The least number that has been `reached`; the ends of the support at the proportions 0 and 1, whose
    /// number is rounded.
    fn at(&self, proportion: f64, reached: impl Fn(f64) -> bool) -> f64 {
        let ends = [self.low as f64, self.high as f64];
        if proportion == 0.0 || proportion == 1.0 {
            return ends[proportion as usize];
        }
        least_count(ends[0] + (proportion * self.count()).ceil() - 1.0, ends, reached)
    }
}

parametric! { DiscreteUniform, "discrete_uniform", new:
    /// The least number.
    low: u64,
    /// The largest number.
    high: u64,
}

impl Density for DiscreteUniform {
    type Point = u64;

    fn ln_pdf(&self, k: &u64) -> f64 {
        if (self.low..=self.high).contains(k) { 0.0 - self.count().ln() } else { f64::NEG_INFINITY }
    }
}

impl Univariate for DiscreteUniform {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.split(k)[0] / self.count())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.split(k)[1] / self.count())
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.at(p, |k| self.cdf(k) >= p) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { self.at(1.0 - q, |k| self.sf(k) <= q) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let sf = self.sf(x);
        if sf < 0.5 { (-sf).ln_1p() } else { self.cdf(x).ln() }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let cdf = self.cdf(x);
        if cdf < 0.5 { (-cdf).ln_1p() } else { self.sf(x).ln() }
    }
}

impl Moments for DiscreteUniform {
    fn mean(&self) -> Option<f64> {
        Some((self.low as f64).midpoint(self.high as f64))
    }

    fn variance(&self) -> Option<f64> {
        let n = self.count();
        Some((n - 1.0) * (n + 1.0) / 12.0)
    }
}

impl Shape for DiscreteUniform {
    fn skewness(&self) -> Option<f64> {
        (self.low < self.high).then_some(0.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let n = self.count();
        (self.low < self.high).then(|| -1.2 * (n * n + 1.0) / ((n - 1.0) * (n + 1.0)))
    }
}

impl Entropy for DiscreteUniform {
    fn entropy(&self) -> f64 {
        self.count().ln()
    }
}

impl Mode for DiscreteUniform {
    fn mode(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }
}

impl KlDivergence for DiscreteUniform {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if other.low <= self.low && self.high <= other.high {
            let [missing_below, missing_above] = [self.low - other.low, other.high - self.high];
            ((missing_below as f64 + missing_above as f64) / self.count()).ln_1p()
        } else {
            f64::INFINITY
        }
    }
}

impl Distribution<u64> for DiscreteUniform {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        rng.random_range(self.low..=self.high)
    }
}
