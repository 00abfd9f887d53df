//! Differences of the gamma family over a whole number of steps, which is how counts enter conjugate models:
//! Γ(a + n) / Γ(a) = a (a + 1) … (a + n - 1).
//!
//! Subtracting two values loses all digits when n is small beside a. Here the first steps are taken one by one until a
//! is at least 10, the others at once by the difference of the asymptotic series.

use super::beta::ln_gamma_increment;
use super::digamma::{ASYMPTOTIC_FROM, BERNOULLI, DIGAMMA_SERIES};
use super::polynomial::polynomial;

/// The first steps of n from a, to be taken one by one, and what is left: where it starts and how many steps.
fn split(a: f64, n: u64) -> (u64, f64, f64) {
    let single = if a < ASYMPTOTIC_FROM { ((ASYMPTOTIC_FROM - a).ceil() as u64).min(n) } else { 0 };
    (single, a + single as f64, (n - single) as f64)
}

/// ln (a (a + 1) … (a + n - 1)) = ln Γ(a + n) - ln Γ(a), for a ≥ 0.
///
/// Relative error below 3e-15 in every regime (tiny and huge a, small and large n), except next to a product of 1.
/// Zero for n = 0, -∞ at a = 0 otherwise; NaN for negative a and for NaN.
///
/// ```
/// use posterior_math::special::ln_rising_factorial;
///
/// assert!((ln_rising_factorial(3.0, 4) - 360_f64.ln()).abs() < 1e-15); // 3·4·5·6
/// assert_eq!(ln_rising_factorial(1e300, 1), 1e300_f64.ln());
/// ```
pub fn ln_rising_factorial(a: f64, n: u64) -> f64 {
    if !(a >= 0.0) {
        return f64::NAN;
    }
    if a == f64::INFINITY && n > 0 {
        return f64::INFINITY;
    }
    match n {
        0 => return 0.0,
        1 => return a.ln(),
        _ => {}
    }
    let (single, start, steps) = split(a, n);
    let product: f64 = (1..single).map(|i| a + i as f64).product();
    // The first factor apart: it may be subnormal.
    let ln_product = match single {
        0 => 0.0,
        _ if a < 1e-3 => a.ln() + product.ln(),
        _ => (a * product).ln(),
    };
    if steps == 0.0 { ln_product } else { ln_product + ln_gamma_increment(start, steps) }
}

/// ψ(a + n) - ψ(a) = 1/a + 1/(a + 1) + … + 1/(a + n - 1), for a ≥ 0.
///
/// All terms are positive and the relative error is below 2e-15. Zero for n = 0, +∞ at a = 0 otherwise; NaN for
/// negative a and for NaN.
///
/// ```
/// let value = posterior_math::special::digamma_difference(1e9, 2);
/// assert!((value / (1e-9 + 1.0 / 1_000_000_001.0) - 1.0).abs() < 1e-15);
/// ```
pub fn digamma_difference(a: f64, n: u64) -> f64 {
    if !(a >= 0.0) {
        return f64::NAN;
    }
    let (single, start, steps) = split(a, n);
    let sum: f64 = (0..single).map(|i| (a + i as f64).recip()).sum();
    if steps == 0.0 {
        return sum;
    }
    if start == f64::INFINITY {
        return 0.0;
    }
    let (near, far) = (start.recip(), (start + steps).recip());
    let series = near * near * polynomial(&DIGAMMA_SERIES, near * near)
        - far * far * polynomial(&DIGAMMA_SERIES, far * far);
    sum + ((steps / start).ln_1p() + 0.5 * steps * near * far + series)
}

/// ψ₁(a) - ψ₁(a + n) = 1/a² + 1/(a + 1)² + … + 1/(a + n - 1)², for a ≥ 0: positive, as [`digamma_difference`].
///
/// Zero for n = 0, +∞ at a = 0 otherwise; NaN for negative a and for NaN.
///
/// ```
/// let value = posterior_math::special::trigamma_difference(1.0, 2);
/// assert_eq!(value, 1.25);
/// ```
pub fn trigamma_difference(a: f64, n: u64) -> f64 {
    if !(a >= 0.0) {
        return f64::NAN;
    }
    let (single, start, steps) = split(a, n);
    let sum: f64 = (0..single).map(|i| ((a + i as f64) * (a + i as f64)).recip()).sum();
    if steps == 0.0 {
        return sum;
    }
    if start == f64::INFINITY {
        return 0.0;
    }
    let (near, far) = (start.recip(), (start + steps).recip());
    // near - far and near² - far² without their cancellation; what cancels in the series is a thousandth of them.
    let gap = steps * near * far;
    let series = near * near * near * polynomial(&BERNOULLI, near * near)
        - far * far * far * polynomial(&BERNOULLI, far * far);
    sum + (gap + 0.5 * gap * (near + far) + series)
}
