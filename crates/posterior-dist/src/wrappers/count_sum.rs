//! The sum of two independent counts, whatever their distributions.

use crate::inversion::{from_end_to_end, invert_cdf, invert_sf};
use crate::prelude::*;

/// The probability of a tail beyond which terms are left out.
const BEYOND: f64 = 1e-300;

/// The distribution of X + Y for independent counts X and Y.
///
/// # Density
/// P(z) = Σ_k P_X(z - k) P_Y(k)
///
/// # Moments
/// means and variances add up
///
/// # Numerics
/// The sums are finite, and all their terms positive: probabilities and both tails have the digits of those
/// of X and Y, however small they are (terms from 1e-300 on).
///
/// # Cost
/// As many terms as counts of Y up to z, less those beyond a probability of 1e-300; a quantile some thirty
/// times that.
///
/// # Example
/// ```
/// use posterior_dist::{Binomial, CountSum, Density, Poisson};
///
/// let sum = CountSum::new(Poisson::new(2.0)?, Binomial::new(1, 0.5)?);
/// assert!((sum.ln_pdf(&0).exp() - 0.5 * (-2.0_f64).exp()).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountSum<X, Y> {
    x: X,
    y: Y,
    /// The counts between which those of X lie, and those of Y, but for a probability of 1e-300.
    reach: [[f64; 2]; 2],
}

impl<X, Y> CountSum<X, Y>
where
    X: Univariate + Density<Point = u64>,
    Y: Univariate + Density<Point = u64>,
{
    /// The distribution of the sum of a draw of each.
    pub fn new(x: X, y: Y) -> Self {
        let reach =
            [[x.quantile(BEYOND), x.upper_quantile(BEYOND)], [y.quantile(BEYOND), y.upper_quantile(BEYOND)]];
        Self { x, y, reach }
    }

    /// The distributions of both terms.
    pub const fn terms(&self) -> (&X, &Y) {
        (&self.x, &self.y)
    }

    /// Σ P_Y(k) f(z - k) over the counts k of Y from one on and up to another.
    fn sum(&self, z: f64, [from, to]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
        if !(from <= to) {
            return 0.0;
        }
        let terms = (from as u64..=to as u64).map(|k| self.y.ln_pdf(&k).exp() * f(z - k as f64));
        terms.sum()
    }

    /// The counts k of Y for which z - k is one of X.
    fn matching(&self, z: f64) -> [f64; 2] {
        let [[x_low, x_high], [y_low, y_high]] = self.reach;
        [y_low.max(z - x_high), y_high.min(z - x_low)]
    }

    fn ends(&self) -> [f64; 2] {
        [0.0, 1.0].map(|p| self.x.quantile(p) + self.y.quantile(p))
    }
}

impl<X, Y> Density for CountSum<X, Y>
where
    X: Univariate + Density<Point = u64>,
    Y: Univariate + Density<Point = u64>,
{
    type Point = u64;

    fn ln_pdf(&self, z: &u64) -> f64 {
        let at = *z as f64;
        self.sum(at, self.matching(at), |x| self.x.ln_pdf(&(x as u64)).exp()).ln()
    }
}

impl<X, Y> Univariate for CountSum<X, Y>
where
    X: Univariate + Density<Point = u64>,
    Y: Univariate + Density<Point = u64>,
{
    fn cdf(&self, z: f64) -> f64 {
        if z.is_nan() || z.is_infinite() {
            return if z.is_nan() { z } else { f64::from(u8::from(z > 0.0)) };
        }
        let z = z.floor();
        let [from, to] = self.matching(z);
        // Of the least counts of Y all of X is far enough down.
        let all = if from > self.reach[1][0] { self.y.cdf(from - 1.0) } else { 0.0 };
        (all + self.sum(z, [from, to], |x| self.x.cdf(x))).min(1.0)
    }

    fn sf(&self, z: f64) -> f64 {
        if z.is_nan() || z.is_infinite() {
            return if z.is_nan() { z } else { f64::from(u8::from(z < 0.0)) };
        }
        let z = z.floor();
        let [from, to] = self.matching(z);
        // Of the largest counts of Y all of X is too much.
        let all = self.y.sf(to);
        (all + self.sum(z, [from, to], |x| self.x.sf(x))).min(1.0)
    }

    fn quantile(&self, p: f64) -> f64 {
        let [low, high] = [0.5 * p, 0.5 + 0.5 * p].map(|p| self.x.quantile(p) + self.y.quantile(p));
        from_end_to_end(p, self.ends(), || invert_cdf(|z| self.cdf(z), p, low, high))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let [low, high] =
            [0.5 + 0.5 * q, 0.5 * q].map(|q| self.x.upper_quantile(q) + self.y.upper_quantile(q));
        let ends = self.ends();
        from_end_to_end(q, [ends[1], ends[0]], || invert_sf(|z| self.sf(z), q, low, high))
    }

    fn ln_cdf(&self, z: f64) -> f64 {
        let upper = self.sf(z);
        if upper < 0.5 { (-upper).ln_1p() } else { self.cdf(z).ln() }
    }

    fn ln_sf(&self, z: f64) -> f64 {
        let lower = self.cdf(z);
        if lower < 0.5 { (-lower).ln_1p() } else { self.sf(z).ln() }
    }
}

impl<X: Moments, Y: Moments> Moments for CountSum<X, Y> {
    fn mean(&self) -> Option<f64> {
        Some(self.x.mean()? + self.y.mean()?)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.x.variance()? + self.y.variance()?)
    }
}

impl<X: Distribution<u64>, Y: Distribution<u64>> Distribution<u64> for CountSum<X, Y> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.x.sample(rng).saturating_add(self.y.sample(rng))
    }
}
