//! The polygamma functions ψₙ, the derivatives of ψ of any order.

use std::f64::consts::PI;

use super::digamma::{BERNOULLI, digamma, trigamma};
use super::sin_pi::cot_pi;

/// The highest order: beyond it the factorials leave f64.
const HIGHEST: usize = 100;

/// The polygamma function ψₙ(x), the n-th derivative of ψ; ψ₀ = ψ, ψ₁ is [`trigamma`].
///
/// For n ≥ 1: zero at ∞, NaN at -∞ and for NaN. At the poles 0, -1, -2, … +∞ for odd n, NaN for even n, where
/// the sign differs on the two sides. NaN for n > 100.
///
/// # Numerics
/// Relative error below 5e-16 for n = 2, growing slowly with n. By ψₙ(x) = (-1)^(n+1) n! Σ 1 / (x + k)^(n+1),
/// all of whose terms have one sign, up to 10 + n, and the asymptotic series above (DLMF 5.15.9). Negative x
/// by the reflection (DLMF 5.15.6); next to the roots there the error is relative to
/// |x ψₙ₊₁(x)|.
///
/// ```
/// let value = posterior_math::special::polygamma(2, 1.0); // -2 ζ(3)
/// assert!((value + 2.4041138063191885).abs() < 1e-14);
/// ```
pub fn polygamma(n: u32, x: f64) -> f64 {
    match n {
        0 => digamma(x),
        1 => trigamma(x),
        _ if n as usize > HIGHEST || x.is_nan() || x == f64::NEG_INFINITY => f64::NAN,
        _ if x > 0.0 => alternating_sign(n + 1) * magnitude(n, x),
        _ if x == x.floor() => {
            if n % 2 == 1 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        _ => -magnitude(n, 1.0 - x) - cotangent_derivative(n, x),
    }
}

/// (-1)ⁿ
fn alternating_sign(n: u32) -> f64 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// |ψₙ(x)| for n ≥ 2 and x > 0.
fn magnitude(n: u32, x: f64) -> f64 {
    let order = f64::from(n);
    let power = n.cast_signed();
    let factorial: f64 = (2..n).map(f64::from).product();
    let mut sum = 0.0;
    let mut base = x;
    while base < 10.0 + order {
        sum += base.powi(-power - 1);
        base += 1.0;
    }
    // (n - 1)! / xⁿ (1 + n / 2x + Σ B₂ₖ (2k + n - 1)! / ((2k)! (n - 1)! x²ᵏ))
    let inverse = base.recip();
    let mut coefficient = 1.0;
    let mut series = 1.0 + 0.5 * order * inverse;
    let mut index = 0.0;
    for bernoulli in BERNOULLI {
        index += 2.0;
        let rising = (index + order - 2.0) * (index + order - 1.0);
        coefficient *= rising / ((index - 1.0) * index) * inverse * inverse;
        series += bernoulli * coefficient;
    }
    // The power in two halves: it may leave f64 before the product does.
    let half = power / 2;
    let rest = (factorial * inverse.powi(half)) * (inverse.powi(power - half) * series);
    order * factorial * sum + rest
}

/// The n-th derivative of π cot πx: a polynomial in c = cot πx by d/dx = -π (1 + c²) d/dc.
fn cotangent_derivative(n: u32, x: f64) -> f64 {
    let mut coefficients = [0.0; HIGHEST + 2];
    coefficients[1] = PI;
    for degree in 1..=n as usize {
        let mut next = [0.0; HIGHEST + 2];
        for k in 1..=degree {
            let slope = -PI * k as f64 * coefficients[k];
            next[k - 1] += slope;
            next[k + 1] += slope;
        }
        coefficients = next;
    }
    let cot = cot_pi(x);
    coefficients[..=n as usize + 1].iter().rev().fold(0.0, |sum, &coefficient| sum * cot + coefficient)
}
