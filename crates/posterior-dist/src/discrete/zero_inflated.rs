//! A distribution of counts with more zeros than it has by itself.

use posterior_math::log_space::ln_add_exp;
use rand::RngExt;

use super::steps::{least_count, stepwise};
use crate::moments::weighted;
use crate::prelude::*;

/// Zero with probability π, a count from another distribution otherwise.
///
/// # Density
/// P(0) = π + (1 - π) p(0), P(k) = (1 - π) p(k) for k > 0
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | π | `excess` | [0, 1] |
/// | p | `counts` | a distribution of counts |
///
/// # Moments
/// With μ and σ² of the distribution of counts: mean (1 - π)μ, variance (1 - π)(σ² + πμ²).
///
/// # Example
/// ```
/// use posterior_dist::{Density, Poisson, ZeroInflated};
///
/// let eggs = ZeroInflated::new(0.25, Poisson::new(2.0)?)?;
/// assert!((eggs.ln_pdf(&0) - (0.25 + 0.75 * (-2_f64).exp()).ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZeroInflated<D> {
    excess: f64,
    counts: D,
}

impl<D> ZeroInflated<D> {
    /// Zero with probability π = `excess`, else a draw of `counts`.
    ///
    /// # Errors
    /// If π is not in [0, 1].
    pub fn new(excess: f64, counts: D) -> Result<Self, ParamError> {
        Ok(Self { excess: check::probability("ZeroInflated", "excess", excess)?, counts })
    }

    /// The probability of an added zero π.
    pub const fn excess(&self) -> f64 {
        self.excess
    }

    /// The distribution of the counts that are not zero for the other reason.
    pub const fn counts(&self) -> &D {
        &self.counts
    }

    /// ln(1 - π).
    fn ln_rest(&self) -> f64 {
        (-self.excess).ln_1p()
    }
}

impl<D: Density<Point = u64>> Density for ZeroInflated<D> {
    type Point = u64;

    fn ln_pdf(&self, k: &u64) -> f64 {
        let counted = self.ln_rest() + self.counts.ln_pdf(k);
        if *k == 0 { ln_add_exp(self.excess.ln(), counted) } else { counted }
    }
}

impl<D: Univariate + Density<Point = u64>> Univariate for ZeroInflated<D> {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| self.excess + (1.0 - self.excess) * self.counts.cdf(k))
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| (1.0 - self.excess) * self.counts.sf(k))
    }

    fn quantile(&self, p: f64) -> f64 {
        if p > 0.0 && p < 1.0 {
            let proportion = ((p - self.excess) / (1.0 - self.excess)).clamp(0.0, 1.0);
            least_count(self.counts.quantile(proportion), self.ends(), |k| self.cdf(k) >= p)
        } else {
            self.end(p, [0.0, 1.0])
        }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if q > 0.0 && q < 1.0 {
            let proportion = (q / (1.0 - self.excess)).clamp(0.0, 1.0);
            least_count(self.counts.upper_quantile(proportion), self.ends(), |k| self.sf(k) <= q)
        } else {
            self.end(q, [1.0, 0.0])
        }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| {
            let sf = self.sf(k);
            if sf < 0.5 {
                (-sf).ln_1p()
            } else {
                ln_add_exp(self.excess.ln(), self.ln_rest() + self.counts.ln_cdf(k))
            }
        })
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| self.ln_rest() + self.counts.ln_sf(k))
    }
}

impl<D: Univariate + Density<Point = u64>> ZeroInflated<D> {
    fn ends(&self) -> [f64; 2] {
        let low = if self.excess > 0.0 { 0.0 } else { self.counts.quantile(0.0) };
        [low, if self.excess < 1.0 { self.counts.quantile(1.0) } else { 0.0 }]
    }

    /// The end of the support at the probability of it, NaN at others.
    fn end(&self, p: f64, of_ends: [f64; 2]) -> f64 {
        let [low, high] = self.ends();
        if p == of_ends[0] {
            low
        } else if p == of_ends[1] {
            high
        } else {
            f64::NAN
        }
    }
}

impl<D: Moments> Moments for ZeroInflated<D> {
    fn mean(&self) -> Option<f64> {
        Some(weighted(1.0 - self.excess, self.counts.mean()?))
    }

    fn variance(&self) -> Option<f64> {
        let (mean, variance) = (self.counts.mean()?, self.counts.variance()?);
        Some(weighted(1.0 - self.excess, variance + weighted(self.excess, mean * mean)))
    }
}

impl<D: Moments + Shape> Shape for ZeroInflated<D> {
    fn skewness(&self) -> Option<f64> {
        let [_, second, third, _] = self.central()?;
        (second > 0.0).then(|| third / (second * second.sqrt()))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [_, second, _, fourth] = self.central()?;
        (second > 0.0).then(|| fourth / (second * second) - 3.0)
    }
}

impl<D: Moments + Shape> ZeroInflated<D> {
    /// The central moments of order 1 to 4.
    fn central(&self) -> Option<[f64; 4]> {
        let (rest, mean, variance) = (1.0 - self.excess, self.counts.mean()?, self.counts.variance()?);
        let third = if variance > 0.0 { self.counts.skewness()? * variance * variance.sqrt() } else { 0.0 };
        let fourth =
            if variance > 0.0 { (self.counts.excess_kurtosis()? + 3.0) * variance * variance } else { 0.0 };
        // The counts are centred at their own mean, which is `shift` above that of the mixture; zero is
        // `rest` μ below it.
        let (shift, below) = (self.excess * mean, -rest * mean);
        let square = shift * shift;
        Some([
            0.0,
            rest * (variance + square) + self.excess * below.powi(2),
            rest * (third + 3.0 * variance * shift + square * shift) + self.excess * below.powi(3),
            rest * (fourth + 4.0 * third * shift + 6.0 * variance * square + square * square)
                + self.excess * below.powi(4),
        ])
    }
}

impl<D: Density<Point = u64> + Entropy> Entropy for ZeroInflated<D> {
    fn entropy(&self) -> f64 {
        let (rest, ln_zero) = (1.0 - self.excess, self.counts.ln_pdf(&0));
        let of_zero = weighted(ln_zero.exp(), ln_zero);
        let together = self.ln_pdf(&0);
        let positive = -ln_zero.exp_m1();
        weighted(rest, self.counts.entropy() + of_zero)
            - weighted(rest * positive, self.ln_rest())
            - weighted(together.exp(), together)
    }
}

impl<D: Distribution<u64>> Distribution<u64> for ZeroInflated<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        if rng.random::<f64>() < self.excess { 0 } else { self.counts.sample(rng) }
    }
}
