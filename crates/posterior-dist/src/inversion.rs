//! Quantiles by inverting a distribution function between two bounds, for distributions that have no closed
//! form.

use posterior_math::optimize::{RootOptions, find_root};

/// Evaluations that interpolation may take before halving of the bracket finishes the work.
const INTERPOLATIONS: usize = 60;

/// Beyond this size, brackets whose ends differ by orders of magnitude are first halved in the exponent.
const LARGE: f64 = 1e10;

/// The least x in [low, high] with `cdf(x)` ≥ p, for a nondecreasing function of any shape, steps included;
/// `high` if there is none, NaN if p is not in (0, 1], a bound is NaN, or `low > high`.
///
/// The answer is exact: the function is below p at the number before. Interpolation in ln cdf (Brent's
/// method) comes first, halving of what it leaves second, so that there are at most 200 evaluations whatever
/// the function, and about 12 if it is smooth. Infinite bounds are allowed, and cost some more.
///
/// ```
/// use posterior_dist::{Exponential, Univariate, invert_cdf};
///
/// let distribution = Exponential::new(2.0)?;
/// let x = invert_cdf(|x| distribution.cdf(x), 1e-20, 0.0, f64::INFINITY);
/// assert!((x / distribution.quantile(1e-20) - 1.0).abs() < 1e-15);
///
/// // A step is found where it is.
/// assert_eq!(invert_cdf(|x| if x < 3.0 { 0.2 } else { 1.0 }, 0.5, -10.0, 10.0), 3.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn invert_cdf(cdf: impl Fn(f64) -> f64, p: f64, low: f64, high: f64) -> f64 {
    if p > 0.0 && p <= 1.0 { first_reaching(|x| (cdf(x) / p).ln(), low, high) } else { f64::NAN }
}

/// The least x in [low, high] with `sf(x)` ≤ q, for a nonincreasing function; the special cases and the cost
/// are those of [`invert_cdf`].
///
/// ```
/// use posterior_dist::{Exponential, Univariate, invert_sf};
///
/// let distribution = Exponential::new(2.0)?;
/// let x = invert_sf(|x| distribution.sf(x), 1e-300, 0.0, f64::INFINITY);
/// assert!((x / distribution.upper_quantile(1e-300) - 1.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn invert_sf(sf: impl Fn(f64) -> f64, q: f64, low: f64, high: f64) -> f64 {
    if q > 0.0 && q <= 1.0 { first_reaching(|x| -(sf(x) / q).ln(), low, high) } else { f64::NAN }
}

/// The quantile at p of a distribution on an interval with these ends, which lies `inside` for p in (0, 1).
pub(crate) fn from_end_to_end(p: f64, [at_zero, at_one]: [f64; 2], inside: impl FnOnce() -> f64) -> f64 {
    if p > 0.0 && p < 1.0 {
        inside()
    } else if p == 0.0 {
        at_zero
    } else if p == 1.0 {
        at_one
    } else {
        f64::NAN
    }
}

/// The least x in [low, high] with `excess(x)` ≥ 0, for a nondecreasing function; `high` if there is none.
pub(crate) fn first_reaching(excess: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    if !(low <= high) {
        return f64::NAN;
    }
    if low == high || excess(low) >= 0.0 {
        return low;
    }
    // Below: not reached, above: reached, or the upper bound.
    let (mut below, mut above) = (low, high);
    while !comparable(below, above) {
        let middle = between(below, above);
        if adjacent(middle, below, above) {
            break;
        }
        if excess(middle) >= 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
    let (from, to) = (below, above);
    let watched = |x: f64| {
        let value = excess(x);
        if value >= 0.0 {
            above = above.min(x);
            // A zero would end the search at once, at a point of a step that need not be its first.
            value.max(f64::MIN_POSITIVE)
        } else {
            below = below.max(x);
            value
        }
    };
    find_root(watched, from, to, &RootOptions { max_evaluations: INTERPOLATIONS, ..RootOptions::default() });
    loop {
        let middle = between(below, above);
        if adjacent(middle, below, above) {
            return above;
        }
        if excess(middle) >= 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
}

/// Whether interpolation may work on the bracket: the ends are of ordinary size, or of the same order of
/// magnitude.
fn comparable(low: f64, high: f64) -> bool {
    let (small, large) =
        if low.abs() < high.abs() { (low.abs(), high.abs()) } else { (high.abs(), low.abs()) };
    let same_order = low.is_sign_negative() == high.is_sign_negative() && large <= 1e4 * small;
    large <= LARGE || (same_order && large.is_finite())
}

/// The number half-way between two in the order of all f64, of which there are fewer than 2⁶⁴: halving of the
/// exponent where they are far apart, of the distance where they are close.
fn between(low: f64, high: f64) -> f64 {
    let (low, high) = (position(low), position(high));
    let middle = low + high.wrapping_sub(low).cast_unsigned().div_euclid(2).cast_signed();
    f64::from_bits((if middle < 0 { i64::MIN ^ !middle } else { middle }).cast_unsigned())
}

/// Whether the middle is one of the ends, so that no number is left between them; -0 and 0 are two numbers
/// here.
const fn adjacent(middle: f64, below: f64, above: f64) -> bool {
    middle.to_bits() == below.to_bits() || middle.to_bits() == above.to_bits()
}

/// The place of a number in the order of all f64: -0 is next below 0.
const fn position(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    if bits < 0 { !(bits ^ i64::MIN) } else { bits }
}

#[cfg(test)]
mod tests {
    use super::{between, first_reaching, position};

    #[test]
    fn positions_are_in_the_order_of_the_numbers() {
        let numbers = [f64::NEG_INFINITY, f64::MIN, -1.0, -5e-324, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| position(pair[0]) < position(pair[1])));
        for pair in numbers.windows(2) {
            let middle = between(pair[0], pair[1]);
            assert!(pair[0] <= middle && middle <= pair[1], "{middle} between {pair:?}");
        }
        assert_eq!(between(f64::NEG_INFINITY, f64::INFINITY).abs(), 0.0);
        assert_eq!(between(1.0, 1.0_f64.next_up()), 1.0);
    }

    #[test]
    fn every_step_is_found_within_the_bound_of_evaluations() {
        for step in [-f64::MAX, -1e300, -3.0, -5e-324, 0.0, 5e-324, 1e-300, 0.1, 7.0, 1e10, 1e300, f64::MAX] {
            let evaluations = std::cell::Cell::new(0);
            let excess = |x: f64| {
                evaluations.set(evaluations.get() + 1);
                if x >= step { 1.0 } else { -1.0 }
            };
            assert_eq!(first_reaching(excess, f64::NEG_INFINITY, f64::INFINITY), step);
            assert!(evaluations.get() <= 200, "{} evaluations for {step:e}", evaluations.get());
        }
        assert_eq!(first_reaching(|_| -1.0, 0.0, 2.0), 2.0);
        assert_eq!(first_reaching(|_| 1.0, 0.0, 2.0), 0.0);
    }
}
