//! The regularised incomplete beta function I_x(a, b) = ∫₀^x t^(a-1) (1 - t)^(b-1) dt / B(a, b): the
//! distribution function of the beta distribution, and through it of Student's t, F, the binomial and the
//! negative binomial.
//!
//! Both tails are computed without subtraction from one where they are small: the tail on the near side of
//! the mean as x^a (1 - x)^b / B(a, b) (`prefactor`) times a continued fraction (`fraction`) or, for two
//! large parameters, times a uniform expansion (`asymptotic`); next to a parameter below one by a power
//! series (`series`).

mod asymptotic;
mod bracket;
mod fraction;
mod gradient;
mod inverse;
mod point;
mod prefactor;
mod series;

pub use gradient::beta_p_gradient;
pub use inverse::{inverse_beta_p, inverse_beta_pq, inverse_beta_q};

use point::Point;
use prefactor::{ln_prefactor, peak_deviance, prefactor};

/// From here on the expansion for large parameters has full precision next to the mean.
const EXPANSION_FROM: f64 = 200.0;
/// How far from the mean, as a part of the smaller parameter.
const EXPANSION_WITHIN: f64 = 0.03;
/// Further out, by this deviance, its terms overflow for large parameters, and the fraction needs few steps.
const EXPANSION_BELOW: f64 = 1e6;

/// A second parameter below this, and so far below the first one, is a factor of the lower tail and nothing
/// else.
const FACTOR_BELOW: f64 = 1e-290;
const FACTOR_BESIDE: f64 = 1e-100;
/// What brings such a tail back to where f64 has all its digits: 2²⁰⁰.
const ENLARGED: f64 = 1.606_938_044_258_990_3e60;

/// I_x(a, b), the probability that a beta variable with parameters a and b is at most x.
///
/// Exactly 0 at x = 0 and 1 at x = 1. A parameter of zero puts all mass on its end of the interval (a = 0 on
/// x = 0), an infinite one on the other end. NaN outside of 0 ≤ x ≤ 1, for negative parameters, if both are
/// zero or both infinite, and for NaN.
///
/// # Numerics
/// Relative error below 2e-13 down to 1e-300, and of the order of 1e-15 for values above 1e-10. For large
/// parameters it is that of the rounding of x, which moves the value by about √(a + b) times as much.
///
/// A caller who knows 1 - x better than f64 can tell from x should call [`beta_pq`].
///
/// # References
/// A. R. Didonato, A. H. Morris, Algorithm 708, ACM TOMS 18 (1992); C. Loader, Fast and accurate computation
/// of binomial probabilities, 2000 (the factor in front).
///
/// ```
/// use posterior_math::special::beta_p;
///
/// assert!((beta_p(7.0, 5.0, 0.5) - 281.0 / 1024.0).abs() < 1e-15);
/// ```
pub fn beta_p(a: f64, b: f64, x: f64) -> f64 {
    beta_pq(a, b, x, 1.0 - x).0
}

/// 1 - I_x(a, b), the probability that a beta variable is above x, accurate where it is small.
///
/// The special values and the error are those of [`beta_p`].
///
/// ```
/// use posterior_math::special::beta_q;
///
/// let value = beta_q(3.0, 200.0, 0.3);
/// assert!((value / 1.956363760475879e-28 - 1.0).abs() < 1e-13);
/// ```
pub fn beta_q(a: f64, b: f64, x: f64) -> f64 {
    beta_pq(a, b, x, 1.0 - x).1
}

/// I_x(a, b) and 1 - I_x(a, b) at once, from x and y = 1 - x; the smaller one of x and y is taken as exact.
///
/// Both tails of Student's t and of F need it: there x = ν / (ν + t²) and y = t² / (ν + t²), and each may be
/// tiny. Special values as for [`beta_p`], and NaN if x or y is outside of [0, 1].
///
/// ```
/// use posterior_math::special::beta_pq;
///
/// let (lower, upper) = beta_pq(1.0, 2.0, 1.0, 1e-20); // 1 - x² from x = 1 - 1e-20
/// assert_eq!(lower, 1.0);
/// assert!((upper / 1e-40 - 1.0).abs() < 1e-15);
/// ```
pub fn beta_pq(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if let Some(pair) = special_case(a, b, x, y) {
        pair
    } else {
        let [a, b] = summable(a, b).1;
        tails(&Point::new(a, b, x, y))
    }
}

/// ln I_x(a, b), also where I_x is too small for f64 or close to one.
///
/// -∞ where I_x = 0; otherwise as [`beta_p`].
///
/// ```
/// let value = posterior_math::special::ln_beta_p(100.0, 1.0, 1e-10); // x¹⁰⁰
/// assert!((value - 100.0 * 1e-10_f64.ln()).abs() < 1e-12);
/// ```
pub fn ln_beta_p(a: f64, b: f64, x: f64) -> f64 {
    match special_case(a, b, x, 1.0 - x) {
        Some((lower, _)) => lower.ln(),
        None => ln_lower_of(a, b, x, 1.0 - x),
    }
}

/// ln (1 - I_x(a, b)), as [`ln_beta_p`].
///
/// ```
/// let value = posterior_math::special::ln_beta_q(1.0, 1e6, 0.5); // 2^(-1,000,000)
/// assert!((value / -693147.1805599453 - 1.0).abs() < 1e-15);
/// ```
pub fn ln_beta_q(a: f64, b: f64, x: f64) -> f64 {
    match special_case(a, b, x, 1.0 - x) {
        Some((_, upper)) => upper.ln(),
        None => ln_lower_of(b, a, 1.0 - x, x),
    }
}

/// a ln(a/(n x)) + b ln(b/(n y)) for n = a + b and y = 1 - x, of which the smaller one of x and y is taken as
/// exact: how far the density of a beta variable has fallen from its peak, for positive parameters and x
/// between 0 and 1.
///
/// The difference of x from a/n is computed with twice the digits of f64, which large parameters need.
///
/// ```
/// use posterior_math::special::beta_deviance;
///
/// assert_eq!(beta_deviance(2.0, 2.0, 0.5, 0.5), 0.0);
/// assert!((beta_deviance(1.0, 1.0, 0.25, 0.75) - (4.0_f64 / 3.0).ln()).abs() < 1e-15);
/// ```
pub fn beta_deviance(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let (factor, [a, b]) = summable(a, b);
    factor * peak_deviance(&Point::new(a, b, x, y))
}

/// Both tails where no computation is needed, and all refusals.
fn special_case(a: f64, b: f64, x: f64, y: f64) -> Option<(f64, f64)> {
    let inside = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    if !(inside && a >= 0.0 && b >= 0.0) || (a == b && (a == 0.0 || a == f64::INFINITY)) {
        return Some((f64::NAN, f64::NAN));
    }
    if y == 0.0 || a == 0.0 || b == f64::INFINITY {
        return Some((1.0, 0.0));
    }
    if x == 0.0 || b == 0.0 || a == f64::INFINITY {
        return Some((0.0, 1.0));
    }
    None
}

/// 1 and both parameters, or 4 and a quarter of each where their sum is beyond f64. Both are above 10²⁹¹
/// then: the distribution function is a step, and the logarithms of its tails are in proportion to the
/// parameters.
fn summable(a: f64, b: f64) -> (f64, [f64; 2]) {
    if a + b < f64::INFINITY { (1.0, [a, b]) } else { (4.0, [0.25 * a, 0.25 * b]) }
}

/// ln I_x(a, b), of two finite parameters.
fn ln_lower_of(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let (factor, [a, b]) = summable(a, b);
    let ln_lower = ln_lower(&Point::new(a, b, x, y));
    // At the mean itself it is -ln 2, whatever the parameters.
    if ln_lower < -1e200 { factor * ln_lower } else { ln_lower }
}

/// Where a tail comes from.
enum Route {
    /// The power series at x, or at 1 - x.
    Series,
    MirroredSeries,
    /// The lower tail from its fraction or expansion, or the upper one.
    Lower,
    Upper,
}

fn route(point: &Point) -> Route {
    let Point { a, b, x, y, excess } = *point;
    if a <= 1.0 && x <= 0.5 && (b <= 1.0 || b * x <= 1.0) {
        Route::Series
    } else if b <= 1.0 && y <= 0.5 && (a <= 1.0 || a * y <= 1.0) {
        Route::MirroredSeries
    } else if excess >= 0.0 {
        Route::Lower
    } else {
        Route::Upper
    }
}

fn swap((first, second): (f64, f64)) -> (f64, f64) {
    (second, first)
}

/// I_x(a, b) and 1 - I_x(a, b) inside of the domain.
fn tails(point: &Point) -> (f64, f64) {
    match route(point) {
        Route::Series => series::both_tails(point),
        Route::MirroredSeries => swap(series::both_tails(&point.mirrored())),
        Route::Lower => tails_from_lower(point),
        Route::Upper => swap(tails_from_lower(&point.mirrored())),
    }
}

fn tails_from_lower(point: &Point) -> (f64, f64) {
    let factor = prefactor(point);
    let lower = if factor >= f64::MIN_POSITIVE { factor * ratio(point) } else { ln_small(point).exp() };
    let lower = if lower.is_nan() { 0.0 } else { lower.clamp(0.0, 1.0) };
    (lower, 1.0 - lower)
}

/// The logarithm of a lower tail that is small; NaN for parameters beyond 10¹⁵⁰, of which no digit of how far
/// x is from the mean is left, so that the ratio may have no logarithm.
fn ln_small(point: &Point) -> f64 {
    ln_prefactor(point) + ratio(point).ln()
}

/// The lower tail over the prefactor, for x at or below the mean.
fn ratio(point: &Point) -> f64 {
    let Point { a, b, excess, .. } = *point;
    let small = a.min(b);
    if small > EXPANSION_FROM && excess <= EXPANSION_WITHIN * small {
        let deviance = peak_deviance(point);
        if deviance < EXPANSION_BELOW {
            return asymptotic::expansion(point, deviance);
        }
    }
    let ratio = fraction::fraction(point);
    // The products of the fraction overflow for parameters beyond 10^70 only: there its first term is enough.
    if ratio.is_finite() && ratio > 0.0 { ratio } else { excess.recip() }
}

/// ln I_x(a, b) inside of the domain.
fn ln_lower(point: &Point) -> f64 {
    let (lower, upper) = tails(point);
    if lower > 0.5 {
        return (-upper).ln_1p();
    }
    if lower > 1e-290 || lower.is_nan() {
        return lower.ln();
    }
    match route(point) {
        Route::Series => series::ln_lower(point),
        Route::Lower => {
            let ln_lower = ln_small(point);
            if ln_lower.is_nan() { lower.ln() } else { ln_lower }
        }
        // In proportion to so small a second parameter.
        Route::MirroredSeries | Route::Upper if point.b < FACTOR_BELOW => {
            ln_lower(&Point::new(point.a, point.b * ENLARGED, point.x, point.y)) - ENLARGED.ln()
        }
        Route::MirroredSeries | Route::Upper => lower.ln(),
    }
}
