//! Stirling's series for ln Γ, whose remainder is what is left when the large terms of a difference have
//! cancelled.

use super::constants::HALF_LN_TAU;
use super::polynomial::{divided_difference, polynomial};

/// From here on the series has full precision with the terms below.
pub(super) const STIRLING_FROM: f64 = 10.0;

/// B₂ₖ / (2k (2k - 1)) for k = 1, 2, …
const COEFFICIENTS: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360_360.0,
    1.0 / 156.0,
    -3617.0 / 122_400.0,
    43867.0 / 244_188.0,
    -174_611.0 / 125_400.0,
];

/// Δ(1), …, Δ(9), computed with mpmath 1.3 at 40 digits.
const AT_INTEGERS: [f64; 9] = [
    0.08106146679532725822,
    0.041340695955409294094,
    0.027677925684998339149,
    0.020790672103765093112,
    0.016644691189821192163,
    0.013876128823070747999,
    0.011896709945891770095,
    0.010411265261972096497,
    0.0092554621827127329177,
];

/// The remainder Δ(x) of Stirling's formula on x > 0:
///
/// ln Γ(x) = (x - ½) ln x - x + ½ ln 2π + Δ(x),  Δ(x) = 1/(12 x) - 1/(360 x³) + …
///
/// In a difference such as ln Γ(a) + ln Γ(b) - ln Γ(a + b) the large terms are combined by hand and only Δ is
/// left. The relative error is below 1e-15 for x ≥ 1, and 2e-15 below. Δ(0) = ∞, Δ(∞) = 0, NaN for negative
/// x.
///
/// ```
/// let delta = posterior_math::special::stirling_remainder(100.0);
/// assert!((delta - 8.333305556349144e-4).abs() < 1e-18);
/// ```
pub fn stirling_remainder(x: f64) -> f64 {
    if x >= STIRLING_FROM {
        let y = x.recip();
        y * polynomial(&COEFFICIENTS, y * y)
    } else if x == 0.0 {
        f64::INFINITY
    } else if x >= 1.0 {
        remainder_below_ten(x)
    } else if x > 0.0 {
        special::Gamma::ln_gamma(x).0 - ((x - 0.5) * x.ln() - x + HALF_LN_TAU)
    } else {
        f64::NAN
    }
}

/// Δ(x) for 1 ≤ x < 10, by Δ(x) - Δ(x + 1) = (x + ½) ln(1 + 1/x) - 1, which is v²/3 + v⁴/5 + … with v = 1 /
/// (2x + 1).
fn remainder_below_ten(x: f64) -> f64 {
    if x == x.floor() {
        return AT_INTEGERS[x as usize - 1];
    }
    let mut base = x;
    let mut sum = 0.0;
    while base < STIRLING_FROM {
        let square = (2.0 * base + 1.0).powi(-2);
        let (mut power, mut order, mut term) = (square, 3.0, 0.0);
        while power > 1e-17 * square {
            term += power / order;
            power *= square;
            order += 2.0;
        }
        sum += term;
        base += 1.0;
    }
    sum + stirling_remainder(base)
}

/// Δ'(x), the derivative of [`stirling_remainder`]: ψ(x) = ln x - 1/(2x) + Δ'(x).
///
/// Negative, about -1/(12 x²) for large x, where ψ(x) - ln x + 1/(2x) has no digits left. In entropies and
/// divergences of the gamma and the beta distribution the large terms are combined by hand and only this is
/// left. The relative error is below 2e-15. Δ'(0) = -∞, Δ'(∞) = 0, NaN for negative x.
///
/// ```
/// let slope = posterior_math::special::stirling_remainder_derivative(1.0); // ½ - γ
/// assert!((slope + 0.07721566490153287).abs() < 1e-16);
/// ```
pub fn stirling_remainder_derivative(x: f64) -> f64 {
    if !(x >= 0.0) {
        return f64::NAN;
    }
    if x < 1e-290 {
        return -0.5 / x;
    }
    let mut base = x;
    let mut sum = 0.0;
    if base < 1.0 {
        sum += base.recip().ln_1p() - (base + 0.5) / (base * (base + 1.0));
        base += 1.0;
    }
    while base < STIRLING_FROM {
        // ln(1 + 1/x) - (x + ½) / (x (x + 1)) = -2 Σ v^(2k+1) 2k / (2k + 1) with v = 1 / (2x + 1).
        let v = (2.0 * base + 1.0).recip();
        let (mut power, mut order, mut term) = (v * v * v, 3.0, 0.0);
        while power > 1e-17 * v * v * v {
            term += power * ((order - 1.0) / order);
            power *= v * v;
            order += 2.0;
        }
        sum -= 2.0 * term;
        base += 1.0;
    }
    let y = base.recip();
    sum - y * y * polynomial(&SLOPES, y * y)
}

/// B₂ₖ / 2k for k = 1, 2, …, the coefficients of -Δ'.
const SLOPES: [f64; 10] = {
    let mut slopes = COEFFICIENTS;
    let mut k = 0;
    while k < slopes.len() {
        slopes[k] *= (2 * k + 1) as f64;
        k += 1;
    }
    slopes
};

/// Δ(a + d) - Δ(a) for a ≥ 10 and d ≥ 0, to full relative precision.
pub(super) fn stirling_remainder_difference(a: f64, d: f64) -> f64 {
    let (near, far) = (a.recip(), (a + d).recip());
    let gap = near * (d / (a + d));
    let (at_far, slope) = divided_difference(&COEFFICIENTS, near * near, far * far);
    -gap * (near * (near + far) * slope + at_far)
}
