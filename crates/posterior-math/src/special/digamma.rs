//! The derivatives of ln Γ: digamma ψ, trigamma ψ₁, and the inverse of digamma.

use std::f64::consts::PI;

use super::polynomial::polynomial;
use super::sin_pi::{cot_pi, sin_pi};

/// The positive root of ψ is `ROOT + ROOT_REST`.
const ROOT: f64 = 1.4616321449683622;
const ROOT_REST: f64 = 9.549995429965697e-17;

/// ψ(1.5 + t) / (1.5 + t - root) on |t| ≤ ½, in powers of t; error below 2e-17 (Chebyshev fit at 60 digits,
/// mpmath 1.3 `chebyfit`).
const DIGAMMA_OVER_ROOT: [f64; 22] = [
    0.95105587603183289283,
    -0.42362742128146050498,
    0.24054248424077421856,
    -0.14840492305390885721,
    0.094988724454941213253,
    -0.06192213327306453169,
    0.040760833812420736017,
    -0.026975796756138248795,
    0.017907252439451199397,
    -0.011908218001568644751,
    0.0079269446464037960374,
    -0.0052799648732574042082,
    0.0035190064015022760473,
    -0.002345267632540769041,
    0.0015566317474486839277,
    -0.001037637409841860467,
    0.00072332662792875541556,
    -0.00048219905305667888755,
    0.00022723316609873758807,
    -0.00015148586836773365902,
    0.00025968482126430746555,
    -0.00017312261802727393258,
];

/// From here on the asymptotic series have full precision.
pub(super) const ASYMPTOTIC_FROM: f64 = 10.0;

/// B₂ₖ / 2k for k = 1, 2, …
pub(super) const DIGAMMA_SERIES: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 120.0,
    1.0 / 252.0,
    -1.0 / 240.0,
    1.0 / 132.0,
    -691.0 / 32760.0,
    1.0 / 12.0,
    -3617.0 / 8160.0,
    43867.0 / 14364.0,
    -174_611.0 / 6600.0,
];

/// B₂ₖ for k = 1, 2, …
pub(super) const BERNOULLI: [f64; 10] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174_611.0 / 330.0,
];

/// The digamma function ψ(x) = d ln Γ(x) / dx.
///
/// NaN at the poles 0, -1, -2, …, at -∞ and for NaN; ψ(∞) = ∞.
///
/// # Numerics
/// Relative error below 1e-15 for x > 0, also next to the root 1.4616…: a polynomial that contains the root
/// on [1, 2], the recurrence ψ(x + 1) = ψ(x) + 1/x up to 10, the asymptotic series above. Negative x go
/// through the reflection ψ(x) = ψ(-x) - 1/x - π cot πx; next to the roots there the error is relative to |x
/// ψ₁(x)|.
///
/// ```
/// let value = posterior_math::special::digamma(1.0); // -γ
/// assert!((value + 0.5772156649015329).abs() < 1e-15);
/// ```
pub fn digamma(x: f64) -> f64 {
    if x >= ASYMPTOTIC_FROM {
        if x == f64::INFINITY {
            return x;
        }
        let y = x.recip();
        x.ln() - (0.5 * y + y * y * polynomial(&DIGAMMA_SERIES, y * y))
    } else if x > 0.0 {
        digamma_below_ten(x)
    } else if x < 0.0 && x != x.floor() {
        let y = -x;
        digamma(y) + y.recip() + PI * cot_pi(y)
    } else {
        f64::NAN
    }
}

/// ψ(x) for 0 < x < 10.
fn digamma_below_ten(x: f64) -> f64 {
    let mut base = x;
    // 1/(x - 1) + 1/(x - 2) + … as one fraction: a division costs as much as the polynomial.
    let (mut numerator, mut denominator) = (0.0, 1.0);
    if x < 1.0 {
        (numerator, denominator) = (-1.0, x);
        base += 1.0;
    }
    while base > 2.0 {
        base -= 1.0;
        numerator = numerator * base + denominator;
        denominator *= base;
    }
    numerator / denominator + ((base - ROOT) - ROOT_REST) * polynomial(&DIGAMMA_OVER_ROOT, base - 1.5)
}

/// The trigamma function ψ₁(x) = ψ'(x).
///
/// +∞ at the poles 0, -1, -2, … and zero at +∞; NaN at -∞ and for NaN.
///
/// # Numerics
/// Relative error below 1e-15: the recurrence ψ₁(x) = ψ₁(x + 1) + 1/x², all of whose terms are positive, up
/// to 10, the asymptotic series above; negative x by the reflection ψ₁(x) + ψ₁(1 - x) = π² / sin² πx.
///
/// ```
/// let value = posterior_math::special::trigamma(1.0); // π² / 6
/// assert!((value - 1.6449340668482264).abs() < 1e-15);
/// ```
pub fn trigamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if x <= 0.0 {
        if x == x.floor() {
            return f64::INFINITY;
        }
        // ψ₁(1 - x) = ψ₁(-x) - 1/x² would cancel for small x; 1 - x is harmless there.
        let ratio = PI / sin_pi(x);
        return ratio * ratio - trigamma(1.0 - x);
    }
    let mut sum = 0.0;
    let mut base = x;
    while base < ASYMPTOTIC_FROM {
        sum += (base * base).recip();
        base += 1.0;
    }
    let y = base.recip();
    sum + (y + y * y * (0.5 + y * polynomial(&BERNOULLI, y * y)))
}

/// The x > 0 with ψ(x) = y.
///
/// Newton's method from Minka's starting point, which converges to full precision in five steps for every y.
/// ψ⁻¹(-∞) = 0, ψ⁻¹(y) = ∞ from y = 709.78 on, NaN for NaN.
///
/// # References
/// T. Minka, Estimating a Dirichlet distribution, 2000, appendix C.
///
/// ```
/// use posterior_math::special::{digamma, inverse_digamma};
///
/// assert!((digamma(inverse_digamma(0.25)) - 0.25).abs() < 1e-15);
/// ```
pub fn inverse_digamma(y: f64) -> f64 {
    let mut x = if y >= -2.22 { y.exp() + 0.5 } else { -(y - digamma(1.0)).recip() };
    if !(x > 0.0 && x < f64::INFINITY) {
        return x.abs();
    }
    for _ in 0..6 {
        let slope = trigamma(x);
        if slope == f64::INFINITY {
            break;
        }
        let next = x - (digamma(x) - y) / slope;
        if next == x || !(next > 0.0) {
            break;
        }
        x = next;
    }
    x
}
