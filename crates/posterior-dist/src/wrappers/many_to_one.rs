//! The distribution of a function of a number that takes a value at several points: the square, the size.

use std::fmt::Debug;

use posterior_math::log_space::LnSumExp;

use crate::inversion::{from_end_to_end, invert_cdf, invert_sf};
use crate::prelude::*;
use crate::wrappers::truncated::mass::Mass;

/// An interval on which a function is one-to-one, with its inverse there.
#[derive(Debug, Clone, Copy)]
pub struct Branch {
    /// The lower end of the interval, which may be -∞.
    pub low: f64,
    /// Its upper end, which may be ∞.
    pub high: f64,
    /// The values of the function at both ends, in the order of the ends.
    pub ends: [f64; 2],
    /// The point of the interval at which the function has a value between those.
    pub inverse: fn(f64) -> f64,
    /// ln |f'(x)|.
    pub ln_slope: fn(f64) -> f64,
}

impl Branch {
    const fn rises(&self) -> bool {
        self.ends[0] < self.ends[1]
    }

    /// The range of the function on it.
    const fn range(&self) -> [f64; 2] {
        let [first, last] = self.ends;
        if self.rises() { [first, last] } else { [last, first] }
    }
}

/// The distribution of Y = f(X), for X with a density and a function that is one-to-one on each of some
/// intervals, which hold all of X: given by its branches.
///
/// # Density
/// p(y) = Σ p_X(x_i) / |f'(x_i)| over the preimages x_i of y
///
/// # Moments
/// not in closed form
///
/// # Numerics
/// Both tails are sums of probabilities of intervals of X, each by the tail of X in which it keeps its
/// digits, or by an integral of the density where it is narrow; quantiles by [`invert_cdf`] and
/// [`invert_sf`].
///
/// # Example
/// ```
/// use posterior_dist::{Density, ManyToOne, Normal, Univariate};
///
/// // The square of a standard normal variable has the chi-squared distribution.
/// let square = ManyToOne::square(Normal::mean_sd(0.0, 1.0)?);
/// assert!((square.sf(3.841_458_820_694_124) - 0.05).abs() < 1e-15);
///
/// // The sine of an angle between -π/2 and 3π/2: two branches of your own.
/// use posterior_dist::{Branch, Uniform};
/// use std::f64::consts::{FRAC_PI_2, PI};
/// let rising = Branch {
///     low: -FRAC_PI_2,
///     high: FRAC_PI_2,
///     ends: [-1.0, 1.0],
///     inverse: f64::asin,
///     ln_slope: |x| x.cos().ln(),
/// };
/// let falling = Branch {
///     low: FRAC_PI_2,
///     high: 3.0 * FRAC_PI_2,
///     ends: [1.0, -1.0],
///     inverse: |y| PI - y.asin(),
///     ln_slope: |x| (-x.cos()).ln(),
/// };
/// let angle = Uniform::new(-FRAC_PI_2, 3.0 * FRAC_PI_2)?;
/// let sine = ManyToOne::new(angle, f64::sin, vec![rising, falling])?;
/// assert!((sine.cdf(0.5) - 2.0 / 3.0).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ManyToOne<D> {
    distribution: D,
    function: fn(f64) -> f64,
    branches: Vec<Branch>,
    /// The range of f where X is.
    ends: [f64; 2],
}

impl<D: Univariate + Density<Point = f64>> ManyToOne<D> {
    /// The distribution of `function` of X, one-to-one on each of the `branches`, which are in order and
    /// next to each other, and hold the support of X.
    ///
    /// # Errors
    /// If there are no branches, one does not begin where the one before ends, has ends that are not in order
    /// or a constant function, or the support of X goes beyond them.
    pub fn new(distribution: D, function: fn(f64) -> f64, branches: Vec<Branch>) -> Result<Self, ParamError> {
        check::at_least_one("ManyToOne", "number of branches", branches.len())?;
        for (index, own) in branches.iter().enumerate() {
            let follows = index == 0 || branches[index - 1].high == own.low;
            let error = |error: ParamError| error.at(index);
            check::require(follows, "ManyToOne", "low", own.low, "the end of the branch before")
                .map_err(error)?;
            check::require(own.low < own.high, "ManyToOne", "high", own.high, "above low").map_err(error)?;
            let [first, last] = own.ends;
            let goes = first.partial_cmp(&last).is_some_and(std::cmp::Ordering::is_ne);
            check::require(goes, "ManyToOne", "ends", last, "another number at the other end")
                .map_err(error)?;
        }
        let (first, last) = (branches[0].low, branches[branches.len() - 1].high);
        let (low, high) = (distribution.quantile(0.0), distribution.quantile(1.0));
        check::require(first <= low, "ManyToOne", "low", first, "at or below the support")?;
        check::require(high <= last, "ManyToOne", "high", last, "at or above the support")?;
        Ok(Self::of_branches(distribution, function, branches))
    }

    /// The distribution of X².
    pub fn square(distribution: D) -> Self {
        let ln_slope = |x: f64| (2.0 * x.abs()).ln();
        let falling = Branch {
            low: f64::NEG_INFINITY,
            high: 0.0,
            ends: [f64::INFINITY, 0.0],
            inverse: |y| -y.sqrt(),
            ln_slope,
        };
        let rising = Branch {
            low: 0.0,
            high: f64::INFINITY,
            ends: [0.0, f64::INFINITY],
            inverse: f64::sqrt,
            ln_slope,
        };
        Self::of_branches(distribution, |x| x * x, vec![falling, rising])
    }

    /// The distribution of |X|: folded at 0.
    pub fn absolute(distribution: D) -> Self {
        let ln_slope = |_: f64| 0.0;
        let falling = Branch {
            low: f64::NEG_INFINITY,
            high: 0.0,
            ends: [f64::INFINITY, 0.0],
            inverse: |y| -y,
            ln_slope,
        };
        let rising =
            Branch { low: 0.0, high: f64::INFINITY, ends: [0.0, f64::INFINITY], inverse: |y| y, ln_slope };
        Self::of_branches(distribution, f64::abs, vec![falling, rising])
    }

    fn of_branches(distribution: D, function: fn(f64) -> f64, branches: Vec<Branch>) -> Self {
        let support = [0.0, 1.0].map(|p| distribution.quantile(p));
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for own in &branches {
            for (end, value) in [own.low, own.high].into_iter().zip(own.ends) {
                // The function at an end of the branch, or at that of the support within it.
                let at = end.clamp(support[0], support[1]);
                if !(own.low <= at && at <= own.high) {
                    continue;
                }
                let value = if at == end { value } else { function(at) };
                ends = [ends[0].min(value), ends[1].max(value)];
            }
        }
        Self { distribution, function, branches, ends }
    }

    /// P(a < X < b), with its digits for narrow intervals too.
    fn between(&self, a: f64, b: f64) -> f64 {
        if a < b { Mass::between(&self.distribution, a, b).value() } else { 0.0 }
    }

    /// The probability of all numbers whose function is on one side of y.
    fn tail(&self, y: f64, is_lower: bool) -> f64 {
        let part = |own: &Branch| {
            let [least, most] = own.range();
            if y < least || y > most {
                let all = (y > most) == is_lower;
                return if all { self.between(own.low, own.high) } else { 0.0 };
            }
            let x = if y == own.ends[0] {
                own.low
            } else if y == own.ends[1] {
                own.high
            } else {
                (own.inverse)(y).clamp(own.low, own.high)
            };
            if own.rises() == is_lower { self.between(own.low, x) } else { self.between(x, own.high) }
        };
        self.branches.iter().map(part).sum::<f64>().clamp(0.0, 1.0)
    }
}

impl<D> ManyToOne<D> {
    /// The distribution of X.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The branches of the function, in order.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }
}

impl<D: Density<Point = f64>> Density for ManyToOne<D> {
    type Point = f64;

    fn ln_pdf(&self, &y: &f64) -> f64 {
        if y.is_nan() {
            return y;
        }
        let term = |own: &Branch| {
            let [least, most] = own.range();
            if !(least < y && y < most) {
                return f64::NEG_INFINITY;
            }
            let x = (own.inverse)(y);
            let ln_pdf = self.distribution.ln_pdf(&x);
            if ln_pdf == f64::NEG_INFINITY { ln_pdf } else { ln_pdf - (own.ln_slope)(x) }
        };
        self.branches.iter().map(term).collect::<LnSumExp>().value()
    }
}

impl<D: Univariate + Density<Point = f64>> Univariate for ManyToOne<D> {
    fn cdf(&self, y: f64) -> f64 {
        if y.is_nan() { y } else { self.tail(y, true) }
    }

    fn sf(&self, y: f64) -> f64 {
        if y.is_nan() { y } else { self.tail(y, false) }
    }

    fn quantile(&self, p: f64) -> f64 {
        let [low, high] = self.ends;
        from_end_to_end(p, self.ends, || invert_cdf(|y| self.cdf(y), p, low, high))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let [low, high] = self.ends;
        from_end_to_end(q, [high, low], || invert_sf(|y| self.sf(y), q, low, high))
    }

    fn ln_cdf(&self, y: f64) -> f64 {
        let upper = self.sf(y);
        if upper < 0.5 { (-upper).ln_1p() } else { self.cdf(y).ln() }
    }

    fn ln_sf(&self, y: f64) -> f64 {
        let lower = self.cdf(y);
        if lower < 0.5 { (-lower).ln_1p() } else { self.sf(y).ln() }
    }
}

impl<D: Distribution<f64>> Distribution<f64> for ManyToOne<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        (self.function)(self.distribution.sample(rng))
    }
}
