//! The standard normal distribution's distribution function Φ, its logarithm, and its hazard.
//!
//! They are here and not with the distributions because approximations everywhere else need them.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::error_function::{erf_small, scaled_complement};
use super::exact::exact_square;

/// From here on the tail is the scaled complement, which holds from ½: this is more than √2 / 2.
const TAIL_FROM: f64 = 0.7072;

/// From here on the tail is below the smallest subnormal number.
const VANISHES_FROM: f64 = 38.6;

/// √(2/π)
const SQRT_2_OVER_PI: f64 = FRAC_2_SQRT_PI * FRAC_1_SQRT_2;

/// 1 / √(2π)
const DENSITY_AT_ZERO: f64 = 0.5 * SQRT_2_OVER_PI;

/// Φ(x) = ∫₋∞ˣ φ(t) dt, the standard normal distribution function.
///
/// Φ(-∞) = 0, Φ(∞) = 1, NaN for NaN.
///
/// # Numerics
/// Relative error below 6e-16, also in the lower tail, which ends at -38.5: see [`erfc`](super::erfc). For
/// the upper tail there is [`normal_sf`].
///
/// ```
/// let value = posterior_math::special::normal_cdf(-10.0);
/// assert!((value / 7.61985302416052e-24 - 1.0).abs() < 1e-14);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    if x <= -TAIL_FROM {
        tail(-x)
    } else if x < TAIL_FROM {
        0.5 + 0.5 * erf_small(x * FRAC_1_SQRT_2)
    } else if x.is_nan() {
        x
    } else {
        1.0 - tail(x)
    }
}

/// 1 - Φ(x) = Φ(-x), the upper tail, with the accuracy of [`normal_cdf`].
///
/// ```
/// use posterior_math::special::{normal_cdf, normal_sf};
///
/// assert_eq!(normal_sf(9.0), normal_cdf(-9.0)); // 1 - Φ(9) would be zero
/// ```
pub fn normal_sf(x: f64) -> f64 {
    normal_cdf(-x)
}

/// ln Φ(x), finite where Φ(x) is not a number of f64 any more.
///
/// -∞ at -∞ (and from about -1.9e154 on), 0 at ∞, NaN for NaN. Relative error below 6e-16.
///
/// ```
/// let value = posterior_math::special::ln_normal_cdf(-40.0);
/// assert!((value + 804.6084420137538).abs() < 1e-12);
/// ```
pub fn ln_normal_cdf(x: f64) -> f64 {
    if x >= 0.0 {
        (-normal_cdf(-x)).ln_1p()
    } else if x > -1.0 {
        normal_cdf(x).ln()
    } else {
        (0.5 * scaled_complement(-x * FRAC_1_SQRT_2)).ln() - 0.5 * x * x
    }
}

/// φ(x) / Φ(x) = d ln Φ(x) / dx, the inverse Mills ratio at -x, and minus the mean of a standard normal
/// variable below x.
///
/// It falls from ∞ at -∞ (like -x) to 0 at ∞; NaN for NaN. Relative error below 6e-16.
///
/// ```
/// let value = posterior_math::special::inverse_mills(0.0); // √(2/π)
/// assert!((value - 0.7978845608028654).abs() < 1e-15);
/// ```
pub fn inverse_mills(x: f64) -> f64 {
    if x <= -1e8 {
        -x
    } else if x <= -TAIL_FROM {
        SQRT_2_OVER_PI / scaled_complement(-x * FRAC_1_SQRT_2)
    } else if x.abs() < VANISHES_FROM {
        DENSITY_AT_ZERO * half_square_decay(x) / normal_cdf(x)
    } else if x.is_nan() {
        x
    } else {
        0.0
    }
}

/// 1 - Φ(x) for x ≥ 0.7072.
fn tail(x: f64) -> f64 {
    if x > VANISHES_FROM {
        return 0.0;
    }
    0.5 * half_square_decay(x) * scaled_complement(x * FRAC_1_SQRT_2)
}

/// exp(-x² / 2) without the rounding of x².
fn half_square_decay(x: f64) -> f64 {
    let (square, rest) = exact_square(x);
    let decay = (-0.5 * square).exp();
    decay - decay * (0.5 * rest)
}
