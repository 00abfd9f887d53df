//! Stirling's series for ln Γ, whose remainder is what is left when the large terms of a difference have cancelled.

use super::gamma::ln_gamma;
use super::polynomial::{divided_difference, polynomial};

/// ½ ln 2π.
pub(super) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

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

/// The remainder Δ(x) of Stirling's formula on x > 0:
///
/// ln Γ(x) = (x - ½) ln x - x + ½ ln 2π + Δ(x),  Δ(x) = 1/(12 x) - 1/(360 x³) + …
///
/// In a difference such as ln Γ(a) + ln Γ(b) - ln Γ(a + b) the large terms are combined by hand and only Δ is left.
/// The error is below 1e-16 for x ≥ 10, and a few units in the last place of ln Γ(x) below. Δ(0) = ∞, Δ(∞) = 0, NaN
/// for negative x.
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
    } else if x > 0.0 {
        ln_gamma(x) - ((x - 0.5) * x.ln() - x + HALF_LN_TAU)
    } else {
        f64::NAN
    }
}

/// Δ(a + d) - Δ(a) for a ≥ 10 and d ≥ 0, to full relative precision.
pub(super) fn stirling_remainder_difference(a: f64, d: f64) -> f64 {
    let (near, far) = (a.recip(), (a + d).recip());
    let gap = near * (d / (a + d));
    let (at_far, slope) = divided_difference(&COEFFICIENTS, near * near, far * far);
    -gap * (near * (near + far) * slope + at_far)
}
