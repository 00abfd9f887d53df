//! Differences of the gamma family over a whole number of steps, which is how counts enter conjugate models:
//! Γ(a + n) / Γ(a) = a (a + 1) … (a + n - 1).
//!
//! Subtracting two values loses all digits when n is small beside a. Here the first steps are taken one by
//! one until a is at least 10, the others at once by the difference of the asymptotic series.

use super::beta::ln_gamma_increment;
use super::digamma::{ASYMPTOTIC_FROM, BERNOULLI, DIGAMMA_SERIES, trigamma};
use super::polynomial::divided_difference;

/// The first steps of n from a, to be taken one by one, and what is left: where it starts and how many steps.
fn split(a: f64, n: u64) -> (u64, f64, f64) {
    let single = if a < ASYMPTOTIC_FROM { ((ASYMPTOTIC_FROM - a).ceil() as u64).min(n) } else { 0 };
    (single, a + single as f64, (n - single) as f64)
}

/// ln (a (a + 1) … (a + n - 1)) = ln Γ(a + n) - ln Γ(a), for a ≥ 0.
///
/// Relative error below 1e-15 in every regime (tiny and huge a, small and large n), except next to a product
/// of 1. Zero for n = 0, -∞ at a = 0 otherwise; NaN for negative a and for NaN.
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
    let ln_product = if single == 0 { 0.0 } else { (a * product).ln() };
    if steps == 0.0 { ln_product } else { ln_product + ln_gamma_increment(start, steps) }
}

/// ln (Γ(a + d) / Γ(a)) for real d ≥ 0 and a ≥ 0: the rising factorial between whole numbers.
///
/// The terms have both signs, so the error is relative to d (|ψ(a + d)| + 1) where that is larger than the
/// value. Zero for d = 0, -∞ at a = 0 otherwise; NaN for negative arguments and for NaN.
///
/// ```
/// let value = posterior_math::special::ln_pochhammer(0.5, 0.5); // Γ(1) / Γ(½)
/// assert!((value + 0.5723649429247001).abs() < 1e-15);
///
/// let value = posterior_math::special::ln_pochhammer(1e191, 1e-282); // d ln a
/// assert!((value / (1e-282 * 1e191_f64.ln()) - 1.0).abs() < 1e-15);
/// ```
pub fn ln_pochhammer(a: f64, d: f64) -> f64 {
    if !(a >= 0.0 && d >= 0.0) {
        return f64::NAN;
    }
    if d == 0.0 {
        return 0.0;
    }
    if d == d.floor() && d < 1e15 {
        return ln_rising_factorial(a, d as u64);
    }
    if a == f64::INFINITY || d == f64::INFINITY {
        return f64::INFINITY;
    }
    let (single, start) = descent(a);
    // Γ(a + d) / Γ(a) = Γ(start + d) / Γ(start) · Π (a + i) / (a + d + i).
    let ln_ratio = |x: f64| if d / x < f64::INFINITY { (d / x).ln_1p() } else { d.ln() - x.ln() };
    let steps: f64 = (0..single).map(|i| ln_ratio(a + i as f64)).sum();
    ln_gamma_increment(start, d) - steps
}

/// ψ(a + d) - ψ(a) for real d ≥ 0 and a ≥ 0; for whole d it is 1/a + 1/(a + 1) + … + 1/(a + d - 1).
///
/// All terms are positive and the relative error is below 1e-15. Zero for d = 0, +∞ at a = 0 otherwise; NaN
/// for negative arguments and for NaN.
///
/// ```
/// let value = posterior_math::special::digamma_difference(1e9, 2.0);
/// assert!((value / (1e-9 + 1.0 / 1_000_000_001.0) - 1.0).abs() < 1e-15);
/// ```
pub fn digamma_difference(a: f64, d: f64) -> f64 {
    difference(
        a,
        d,
        f64::recip,
        |x| (d / (x + d)) / x,
        |start| {
            let (near, far) = (start.recip(), (start + d).recip());
            let gap = near * (d / (start + d));
            let (at_far, slope) = divided_difference(&DIGAMMA_SERIES, near * near, far * far);
            let series = gap * (near + far) * (near * near * slope + at_far);
            (d / start).ln_1p() + 0.5 * gap + series
        },
        || d,
    )
}

/// ψ₁(a) - ψ₁(a + d) for real d ≥ 0 and a ≥ 0; for whole d it is 1/a² + 1/(a + 1)² + … + 1/(a + d - 1)².
///
/// Positive and as accurate as [`digamma_difference`], with the same special values.
///
/// ```
/// assert_eq!(posterior_math::special::trigamma_difference(1.0, 2.0), 1.25);
/// ```
pub fn trigamma_difference(a: f64, d: f64) -> f64 {
    difference(
        a,
        d,
        |x| (x * x).recip(),
        |x| ((d / (x + d)) / x) * (x.recip() + (x + d).recip()),
        |start| {
            let (near, far) = (start.recip(), (start + d).recip());
            let gap = near * (d / (start + d));
            let (at_far, slope) = divided_difference(&BERNOULLI, near * near, far * far);
            let of_squares = gap * (near + far) * (near * near * slope + at_far);
            gap + 0.5 * gap * (near + far) + near * of_squares + gap * far * far * at_far
        },
        || trigamma(a),
    )
}

/// The steps that take a to where the series hold, and where that is.
fn descent(a: f64) -> (u64, f64) {
    let single = if a < ASYMPTOTIC_FROM { (ASYMPTOTIC_FROM - a).ceil() as u64 } else { 0 };
    (single, a + single as f64)
}

/// Σ `step` over a few whole steps, or else Σ `pair` up to where the series hold, plus the difference of the
/// `series`; its limit for d = ∞.
fn difference(
    a: f64,
    d: f64,
    step: impl Fn(f64) -> f64,
    pair: impl Fn(f64) -> f64,
    series: impl Fn(f64) -> f64,
    at_infinity: impl Fn() -> f64,
) -> f64 {
    if !(a >= 0.0 && d >= 0.0) {
        return f64::NAN;
    }
    if d == 0.0 {
        return 0.0;
    }
    if a == 0.0 {
        return f64::INFINITY;
    }
    if a == f64::INFINITY {
        return 0.0;
    }
    if d == f64::INFINITY {
        return at_infinity();
    }
    if d <= ASYMPTOTIC_FROM && d == d.floor() {
        return (0..d as u64).map(|i| step(a + i as f64)).sum();
    }
    let (single, start) = descent(a);
    (0..single).map(|i| pair(a + i as f64)).sum::<f64>() + series(start)
}
