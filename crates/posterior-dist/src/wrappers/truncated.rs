//! Truncation: a univariate distribution, given that the number lies in an interval.

pub(super) mod mass;

use std::f64::consts::LN_2;

use posterior_math::optimize::{RootOptions, find_root_newton};
use posterior_math::quadrature::{QuadratureOptions, tanh_sinh};
use rand::distr::Open01;

use self::mass::Mass;
use crate::inversion::{first_reaching, from_end_to_end};
use crate::prelude::*;

/// A part of a tail below which their sum has lost more than two digits of the part.
const FEW: f64 = 1e-2;

/// Slopes in logarithms from this on, or below its reciprocal, are not those of a tail that begins at an end.
const STEEP: f64 = 8.0;

/// How far the logarithm of a tail may be from its goal because of the rounding of a number.
const CLOSE: f64 = 1e-3;

/// The distribution of X given `low` ≤ X ≤ `high`, for X with a density on the real line.
///
/// # Density
/// p(x) = p_X(x) / P(low ≤ X ≤ high) on the interval
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | low, high | the same | low < high, infinite ends allowed, an interval of positive probability |
///
/// # Moments
/// not in closed form, for any distribution; [`Truncated::mean_and_variance_by_quadrature`] says what it does
///
/// # Numerics
/// Probabilities are differences of that tail of X in which they keep their digits, and where both tails
/// would cancel (a narrow interval) an integral of the density; beyond the range of f64 they are held by
/// their logarithm. A normal distribution truncated to [30, ∞), or to [40, ∞) where its tail is not a number
/// of f64, is as good as any other: within 1e-14 and 1e-12 of the exact tails. A logarithm that is held has
/// 16 digits: the probabilities below and above a point then add up to one, and have a relative error of
/// about
/// |ln P(low ≤ X ≤ high)| · 10⁻¹⁶, which is 10⁻⁸ for a normal distribution truncated 10⁴ standard deviations
/// from its mean and more than 10⁻³ from 5 · 10⁶ on. Quantiles, and the draws made from them, come from the
/// quantiles of X, in the better tail; in narrow intervals and beyond the range of f64 from the distribution
/// function by inversion, which takes some microseconds, and some milliseconds where the density is one of
/// many scales. Where the density changes by more than a half between an end and the next number, and X has
/// much more probability on one side of the interval, what is next to that end has the digits of a difference
/// of two tails, and so has everything where X is a number of f64 with a probability below 10⁻³.
///
/// # Example
/// ```
/// use posterior_dist::{Exponential, Truncated, Univariate};
///
/// // Memoryless: what lies beyond 1000 is distributed as what lies beyond 0.
/// let distribution = Truncated::new(Exponential::new(1.0)?, 1000.0, f64::INFINITY)?;
/// assert!((distribution.sf(1002.0) - (-2.0_f64).exp()).abs() < 1e-13);
/// assert_eq!(distribution.quantile(0.0), 1000.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truncated<D> {
    distribution: D,
    low: f64,
    high: f64,
    mass: Mass,
    /// Whether the quantiles of X give those of the truncated distribution.
    direct: Option<Tails>,
}

/// Both tails of X at both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tails {
    cdf: [f64; 2],
    sf: [f64; 2],
}

impl<D: Univariate + Density<Point = f64>> Truncated<D> {
    /// `distribution`, given that the number lies between `low` and `high`.
    ///
    /// # Errors
    /// If `low` is not below `high`, one is NaN, or the probability of the interval is zero (or below
    /// e^(-10³⁰⁸)).
    pub fn new(distribution: D, low: f64, high: f64) -> Result<Self, ParamError> {
        check::require(!low.is_nan(), "Truncated", "low", low, "a number")?;
        check::require(low < high, "Truncated", "high", high, "above low")?;
        // The ends of the support where the interval goes beyond it.
        let (low, high) = (low.max(distribution.quantile(0.0)), high.min(distribution.quantile(1.0)));
        let mass = Mass::between(&distribution, low, high);
        let ln_mass = mass.ln();
        let possible = ln_mass > f64::NEG_INFINITY;
        check::require(
            possible,
            "Truncated",
            "ln of the probability of the interval",
            ln_mass,
            "above -inf",
        )?;
        let tails = || Tails {
            cdf: [low, high].map(|x| distribution.cdf(x)),
            sf: [low, high].map(|x| distribution.sf(x)),
        };
        let direct = mass.is_difference().then(tails);
        Ok(Self { distribution, low, high, mass, direct })
    }

    /// The same distribution of X, given both this interval and that from `low` to `high`.
    ///
    /// # Errors
    /// As [`new`](Self::new), for the interval that is in both.
    pub fn truncate(self, low: f64, high: f64) -> Result<Self, ParamError> {
        check::require(!low.is_nan(), "Truncated", "low", low, "a number")?;
        check::require(!high.is_nan(), "Truncated", "high", high, "a number")?;
        Self::new(self.distribution, low.max(self.low), high.min(self.high))
    }

    /// P(low ≤ X ≤ x).
    fn below(&self, x: f64) -> Mass {
        Mass::between(&self.distribution, self.low, x)
    }

    /// P(x ≤ X ≤ high).
    fn above(&self, x: f64) -> Mass {
        Mass::between(&self.distribution, x, self.high)
    }

    /// The number at which the lower tail is p and the upper one is q = 1 - p, of which the smaller one is
    /// exact.
    fn at(&self, p: f64, q: f64) -> f64 {
        let Some(Tails { cdf, sf }) = self.direct else {
            return self.searched(p, q);
        };
        let mass = self.mass.value();
        let lower = if p <= q { cdf[0] + p * mass } else { cdf[1] - q * mass };
        let upper = if q <= p { sf[1] + q * mass } else { sf[0] - p * mass };
        let x = if lower <= upper {
            self.distribution.quantile(lower)
        } else {
            self.distribution.upper_quantile(upper)
        };
        x.clamp(self.low, self.high)
    }

    /// The same where p or q is so small that it has few digits beside the tail of X at the end of the
    /// interval, or none in f64.
    fn at_exactly(&self, p: f64, q: f64) -> f64 {
        let Some(Tails { cdf, sf }) = self.direct else { return self.at(p, q) };
        let (part, end) = (p.min(q) * self.mass.value(), usize::from(p > q));
        let lost = part < FEW * cdf[end].min(sf[end]) || part < mass::TINY;
        if lost { self.searched(p, q) } else { self.at(p, q) }
    }

    /// The same by inversion of the smaller tail.
    fn searched(&self, p: f64, q: f64) -> f64 {
        if p <= q {
            let near = self.next_to_end(self.low, self.high, p, |x| self.ln_cdf(x));
            near.unwrap_or_else(|| first_reaching(|x| self.ln_cdf(x) - p.ln(), self.low, self.high))
        } else {
            let near = self.next_to_end(self.high, self.low, q, |x| self.ln_sf(x));
            near.unwrap_or_else(|| first_reaching(|x| q.ln() - self.ln_sf(x), self.low, self.high))
        }
    }

    /// The number with this probability between itself and a finite end, if it is found: by Newton's method
    /// for the logarithm of the distance, in which the logarithm of the probability is nearly linear where
    /// most of it is next to that end.
    fn next_to_end(&self, end: f64, other: f64, tail: f64, ln_tail: impl Fn(f64) -> f64) -> Option<f64> {
        let half = 0.5 * (other - end).abs().min(f64::MAX);
        let is_low = end < other;
        let nearest = if is_low { end.next_up() - end } else { end - end.next_down() };
        let at = |ln_distance: f64| end + ln_distance.exp().copysign(other - end);
        let value_and_slope = |ln_distance: f64| {
            let x = at(ln_distance);
            let ln_tail = ln_tail(x);
            (ln_tail - tail.ln(), (self.ln_pdf(&x) + ln_distance - ln_tail).exp())
        };
        let rounding = 4.0 * f64::EPSILON * self.mass.ln().abs().max(1.0);
        let excess = |ln_distance: f64| {
            let (value, slope) = value_and_slope(ln_distance);
            // What the rounding of the number itself makes of the tail.
            let x = at(ln_distance).abs();
            let step = 0.5 * slope * ((x.next_up() - x).ln() - ln_distance).exp();
            let settled = slope.is_finite() && value.abs() <= step.min(CLOSE).max(rounding);
            (if settled { 0.0 } else { value }, slope)
        };
        let ends = [nearest.ln(), half.ln()];
        if !(end.is_finite() && ends[0] < ends[1] && excess(ends[1]).0 >= 0.0) {
            return None;
        }
        if excess(ends[0]).0 >= 0.0 {
            return Some(at(ends[0]));
        }
        let options = RootOptions { max_evaluations: 60, ..RootOptions::default() };
        let root = find_root_newton(excess, ends[0], ends[1], &options);
        let (value, slope) = value_and_slope(root.point);
        let found = root.converged && value.abs() < CLOSE && (STEEP.recip()..STEEP).contains(&slope);
        found.then(|| at(root.point))
    }

    /// Mean and variance, by integrals of the quantile function (tanh-sinh quadrature, some hundred
    /// quantiles), for distributions that have them; `None` if the integrals do not settle to 1e-10.
    ///
    /// ```
    /// use posterior_dist::{Exponential, Truncated};
    ///
    /// let distribution = Truncated::new(Exponential::new(1.0)?, 5.0, f64::INFINITY)?;
    /// let (mean, variance) = distribution.mean_and_variance_by_quadrature().unwrap_or((f64::NAN, f64::NAN));
    /// assert!((mean - 6.0).abs() < 1e-9 && (variance - 1.0).abs() < 1e-9);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn mean_and_variance_by_quadrature(&self) -> Option<(f64, f64)> {
        let center = self.at(0.5, 0.5);
        let spread = self.at(0.75, 0.25) - self.at(0.25, 0.75);
        let scale = if spread > 0.0 { spread } else { 1.0 };
        let half = |power: i32| {
            let both = |u: f64| {
                let ends = [self.at(u, 1.0 - u), self.at(1.0 - u, u)];
                ends.map(|x| ((x - center) / scale).powi(power)).iter().sum::<f64>()
            };
            tanh_sinh(both, 0.0, 0.5, &QuadratureOptions { absolute: 1e-10, ..QuadratureOptions::default() })
        };
        let (first, second) = (half(1), half(2));
        let settled = first.converged && second.converged;
        let variance = (second.value - first.value * first.value) * scale * scale;
        if settled && variance.is_finite() { Some((center + scale * first.value, variance)) } else { None }
    }
}

impl<D> Truncated<D> {
    /// The distribution of X.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The lower end of the support.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The upper end of the support.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// ln P(low ≤ X ≤ high).
    pub fn ln_mass(&self) -> f64 {
        self.mass.ln()
    }
}

impl<D: Density<Point = f64>> Density for Truncated<D> {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < self.low || x > self.high {
            f64::NEG_INFINITY
        } else {
            self.distribution.ln_pdf(&x) - self.mass.ln()
        }
    }
}

impl<D: PointGradient<Point = f64>> PointGradient for Truncated<D> {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if self.low < x && x < self.high { self.distribution.point_gradient(&x) } else { f64::NAN }
    }
}

impl<D: Univariate + Density<Point = f64>> Univariate for Truncated<D> {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            x
        } else if x <= self.low {
            0.0
        } else if x >= self.high {
            1.0
        } else {
            self.below(x).proportion(|| self.above(x), self.mass)
        }
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            x
        } else if x <= self.low {
            1.0
        } else if x >= self.high {
            0.0
        } else {
            self.above(x).proportion(|| self.below(x), self.mass)
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        from_end_to_end(p, [self.low, self.high], || self.at_exactly(p, 1.0 - p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        from_end_to_end(q, [self.high, self.low], || self.at_exactly(1.0 - q, q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        if x <= self.low || x >= self.high {
            return if x <= self.low { f64::NEG_INFINITY } else { 0.0 };
        }
        let ln_lower = self.below(x).ln_proportion(|| self.above(x), self.mass);
        if ln_lower < -LN_2 { ln_lower } else { (-self.sf(x)).ln_1p() }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        if x <= self.low || x >= self.high {
            return if x <= self.low { 0.0 } else { f64::NEG_INFINITY };
        }
        let ln_upper = self.above(x).ln_proportion(|| self.below(x), self.mass);
        if ln_upper < -LN_2 { ln_upper } else { (-self.cdf(x)).ln_1p() }
    }
}

impl<D: Univariate + Density<Point = f64>> Distribution<f64> for Truncated<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let p: f64 = Open01.sample(rng);
        self.at(p, 1.0 - p)
    }
}
