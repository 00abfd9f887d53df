//! Hypergeometric distribution on {max(0, n + K - N), …, min(n, K)}.

use rand::RngExt;

use super::binomial::ln_binomial_mass;
use super::smooth_sum::{Extent, Tails};
use super::steps::{Search, Tail, stepwise};
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of the number of marked ones among n drawn, without putting back, from N of which K are
/// marked.
///
/// # Density
/// P(k) = (K choose k) (N - K choose n - k) / (N choose n)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | N | `population` | 0, 1, 2, … | `m + n` (R), `M` (SciPy), `a + b` (Stan) |
/// | K | `marked` | 0, …, N | `m` (R), `n` (SciPy), `a` (Stan) |
/// | n | `drawn` | 0, …, N | `k` (R), `N` (SciPy, Stan) |
///
/// # Moments
/// mean nK/N, variance n (K/N)(1 - K/N)(N - n)/(N - 1), mode ⌊(n + 1)(K + 1)/(N + 2)⌋ unless that quotient is
/// whole
///
/// # Numerics
/// The density is made of three binomial ones (Loader), whose error does not grow with N. Tails and entropy
/// have no closed form: they are sums over the masses, of at most some hundred terms. Draws are by a ratio of
/// uniform numbers (Stadlober).
///
/// # Example
/// ```
/// use posterior_dist::{Hypergeometric, Univariate};
///
/// let hearts = Hypergeometric::new(52, 13, 5)?;
/// assert!((hearts.sf(0.0) - 0.7784663865546219).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// E. Stadlober, The ratio of uniforms approach for generating discrete random variates, J. Comp. Appl. Math.
/// 31 (1990).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hypergeometric {
    population: u64,
    marked: u64,
    drawn: u64,
    /// n/N and (N - n)/N.
    proportions: [f64; 2],
    /// The logarithm of the probability of n among N at these proportions.
    ln_norm: f64,
}

impl Hypergeometric {
    /// n = `drawn` from N = `population`, of which K = `marked` are marked.
    ///
    /// # Errors
    /// If more are marked or drawn than there are.
    pub fn new(population: u64, marked: u64, drawn: u64) -> Result<Self, ParamError> {
        const REQUIREMENT: &str = "at most the population";
        check::require(marked <= population, "Hypergeometric", "marked", marked as f64, REQUIREMENT)?;
        check::require(drawn <= population, "Hypergeometric", "drawn", drawn as f64, REQUIREMENT)?;
        let total = population as f64;
        let proportions = [drawn as f64 / total, (population - drawn) as f64 / total];
        let ln_norm = if drawn == 0 || drawn == population {
            0.0
        } else {
            ln_binomial_mass(total, proportions, drawn as f64)
        };
        Ok(Self { population, marked, drawn, proportions, ln_norm })
    }

    /// The least and the largest count.
    fn ends(&self) -> [u64; 2] {
        [self.drawn.saturating_sub(self.population - self.marked), self.drawn.min(self.marked)]
    }

    /// The logarithm of the density, also between the counts.
    fn ln_mass(&self, x: f64) -> f64 {
        if self.drawn == 0 || self.drawn == self.population {
            return 0.0;
        }
        let (marked, plain) = (self.marked as f64, (self.population - self.marked) as f64);
        let others = self.drawn as f64 - x;
        ln_binomial_mass(marked, self.proportions, x) + ln_binomial_mass(plain, self.proportions, others)
            - self.ln_norm
    }

    fn extent(&self) -> Extent {
        let [low, high] = self.ends().map(|end| end as f64);
        let mode = (self.drawn as f64 + 1.0) * ((self.marked as f64 + 1.0) / (self.population as f64 + 2.0));
        Extent { low, high, mode: mode.floor(), scale: self.spread() }
    }

    fn center(&self) -> f64 {
        self.proportions[0] * self.marked as f64
    }

    fn spread(&self) -> f64 {
        let total = self.population as f64;
        if self.population < 2 {
            return 0.0;
        }
        let free = (self.population - self.marked) as f64;
        (self.center() * self.proportions[1] * (free / (total - 1.0))).sqrt()
    }

    fn tails(&self, k: f64) -> Tails {
        if k < self.ends()[0] as f64 {
            return Tails { ln_lower: f64::NEG_INFINITY, ln_upper: 0.0 };
        }
        self.extent().tails(self.center(), k, |base, offset| self.ln_mass(base + offset))
    }

    fn search(&self) -> Search {
        let sd = self.spread();
        let mark = self.marked as f64 / self.population as f64;
        let skewness = (1.0 - 2.0 * mark) * (self.proportions[1] - self.proportions[0]) / sd.max(1e-3);
        let ends = self.ends().map(|end| end as f64);
        Search { ends, mean: self.center(), sd, skewness, excess: 0.0 }
    }
}

parametric! { Hypergeometric, "hypergeometric", new:
    /// The size of the population N.
    population: u64,
    /// The number of marked items K.
    marked: u64,
    /// The number of items that are drawn n.
    drawn: u64,
}

impl Density for Hypergeometric {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        let [low, high] = self.ends();
        if k < low || k > high { f64::NEG_INFINITY } else { self.ln_mass(k as f64) }
    }
}

impl Univariate for Hypergeometric {
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

impl Moments for Hypergeometric {
    fn mean(&self) -> Option<f64> {
        Some(if self.population == 0 {
            0.0
        } else {
            self.drawn as f64 * self.marked as f64 / self.population as f64
        })
    }

    fn variance(&self) -> Option<f64> {
        let [low, high] = self.ends();
        if low == high {
            return Some(0.0);
        }
        let (total, plain) = (self.population as f64, (self.population - self.marked) as f64);
        Some(self.mean()? * (plain / total) * ((self.population - self.drawn) as f64 / (total - 1.0)))
    }
}

impl Shape for Hypergeometric {
    fn skewness(&self) -> Option<f64> {
        let variance = self.variance().filter(|&variance| variance > 0.0)?;
        let (total, marked, drawn) = (self.population as f64, self.marked as f64, self.drawn as f64);
        if self.population == 2 {
            return Some(0.0);
        }
        let plain = (self.population - self.marked) as f64 - marked;
        let left = (self.population - self.drawn) as f64 - drawn;
        Some(plain / total * (left / (total - 2.0)) / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [low, high] = self.ends();
        let variance = self.variance().filter(|&variance| variance > 0.0)?;
        if high - low == 1 {
            return Some((1.0 - 6.0 * variance) / variance);
        }
        let total = self.population as f64;
        // Proportions instead of counts, so that nothing overflows: with u = K(N - K)/N² and v = n(N - n)/N².
        let u = (self.marked as f64 / total) * ((self.population - self.marked) as f64 / total);
        let v = self.proportions[0] * self.proportions[1];
        let inverse = total.recip();
        let sum = 1.0 + inverse - 6.0 * (u + v);
        let numerator = (1.0 - inverse) * sum + 6.0 * u * v * (5.0 - 6.0 * inverse);
        Some(numerator / (u * v * total * (1.0 - 2.0 * inverse) * (1.0 - 3.0 * inverse)))
    }
}

impl Entropy for Hypergeometric {
    fn entropy(&self) -> f64 {
        let [low, high] = self.ends();
        if low == high { 0.0 } else { self.extent().entropy(|base, offset| self.ln_mass(base + offset)) }
    }
}

impl Mode for Hypergeometric {
    fn mode(&self) -> Option<u64> {
        let [low, high] = self.ends();
        if low == high {
            return Some(low);
        }
        let product = (u128::from(self.drawn) + 1) * (u128::from(self.marked) + 1);
        let divisor = u128::from(self.population) + 2;
        (product % divisor != 0).then_some((product / divisor) as u64)
    }
}

impl Distribution<u64> for Hypergeometric {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let extent = self.extent();
        if extent.low == extent.high {
            return self.ends()[0];
        }
        let ln_largest = self.ln_mass(extent.mode.clamp(extent.low, extent.high));
        let center = self.center() + 0.5;
        // 2√(2/e) and 3 - 2√(3/e).
        let width =
            1.715_527_769_921_413_5 * (extent.scale * extent.scale + 0.5).sqrt() + 0.898_916_162_058_898_8;
        loop {
            let u = 1.0 - rng.random::<f64>();
            let x = (center + width * (rng.random::<f64>() - 0.5) / u).floor();
            if x < extent.low || x > extent.high {
                continue;
            }
            let ln_ratio = self.ln_mass(x) - ln_largest;
            // Squeezes of 2 ln u, which spare the logarithm.
            if u * (4.0 - u) - 3.0 <= ln_ratio || 2.0 * u.ln() <= ln_ratio {
                return x as u64;
            }
        }
    }
}
