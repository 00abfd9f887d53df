//! The inverses in x of the incomplete gamma functions: quantiles of the gamma distribution.

use super::{DEEP_BELOW, Tails, is_near_zero, ln_gamma_p, ln_gamma_q, tails};
use crate::special::{ln_gamma_1p, normal_quantile};

/// A step cubes the error: after one of this size, in standard deviations of ln x, nothing is left.
const LAST_STEP: f64 = 3e-6;

/// Where the tails are taken by their logarithms the slope is an approximation: there the error falls by
/// less.
const LAST_DEEP_STEP: f64 = 1e-12;

/// Two or three are needed, up to ten in the far tails.
const STEPS: u32 = 40;

/// From this shape on the first guess is exact: ln x is normal.
const NORMAL_FROM: f64 = 1e25;

/// The x with P(a, x) = p: the quantile of the gamma distribution of shape a and rate 1.
///
/// 0 at p = 0 and for a = 0, ∞ at p = 1 and for a = ∞; NaN for negative a, for p outside of [0, 1], and for
/// NaN. Zero also where x is below the smallest number of f64, as for small p and tiny a.
///
/// # Numerics
/// Relative error below 1e-15, plus what the rounding of p means for x: |dp / p| P / (x p'(x)), which is
/// large for tiny a only. From the approximation of Wilson and Hilferty, or from the first terms of the
/// tails, by Halley's method on ln P (or ln Q) as a function of ln x, which is concave, in two or three
/// steps. For p next to 1 there is [`inverse_gamma_q`].
///
/// ```
/// let value = posterior_math::special::inverse_gamma_p(1.0, 0.5); // ln 2
/// assert!((value - 0.6931471805599453).abs() < 1e-15);
/// ```
pub fn inverse_gamma_p(a: f64, p: f64) -> f64 {
    inverse(a, p, 1.0 - p)
}

/// The x with Q(a, x) = q: the upper quantile, accurate for tiny q, as [`inverse_gamma_p`].
///
/// ```
/// let value = posterior_math::special::inverse_gamma_q(1.0, 1e-300); // 300 ln 10
/// assert!((value - 690.7755278982137).abs() < 1e-12);
/// ```
pub fn inverse_gamma_q(a: f64, q: f64) -> f64 {
    inverse(a, 1.0 - q, q)
}

/// One of p and q is exact, and so is the smaller.
fn inverse(a: f64, p: f64, q: f64) -> f64 {
    if !(a >= 0.0 && p >= 0.0 && q >= 0.0) {
        return f64::NAN;
    }
    if p == 0.0 || a == 0.0 {
        return 0.0;
    }
    if q == 0.0 {
        return f64::INFINITY;
    }
    let mut x = start(a, p, q);
    if x < f64::MIN_POSITIVE || a > NORMAL_FROM {
        return x;
    }
    let deviations = a.sqrt().max(1.0);
    let last_step = if p.min(q) < 10.0 * DEEP_BELOW { LAST_DEEP_STEP } else { LAST_STEP };
    for _ in 0..STEPS {
        let step = if p <= q { lower_step(a, x, p) } else { upper_step(a, x, q) };
        x *= step.exp();
        if !(step.abs() * deviations > last_step && step.abs() > 1e-15) {
            break;
        }
    }
    x
}

/// Halley's step for ln P(a, e^y) = ln p.
fn lower_step(a: f64, x: f64, p: f64) -> f64 {
    let Tails { lower, prefactor, .. } = tails(a, x);
    if lower < DEEP_BELOW {
        // d ln P / dy = a / Σ xⁿ / ((a + 1) … (a + n))
        return halley(ln_gamma_p(a, x) - p.ln(), a * (1.0 - x / (a + 1.0)), a - x);
    }
    halley(ln_ratio(lower, p), a * prefactor / lower, a - x)
}

/// Halley's step for ln Q(a, e^y) = ln q.
fn upper_step(a: f64, x: f64, q: f64) -> f64 {
    let Tails { upper, prefactor, .. } = tails(a, x);
    if upper < DEEP_BELOW && !is_near_zero(a, x) {
        return halley(ln_gamma_q(a, x) - q.ln(), -(x - (a - 1.0)), a - x);
    }
    halley(ln_ratio(upper, q), -a * prefactor / upper, a - x)
}

/// The step to the root of a function g of ln x with this value and slope; g″ = g′ (a - x - g′).
fn halley(value: f64, slope: f64, rest: f64) -> f64 {
    let newton = value / slope;
    let correction = 1.0 - 0.5 * newton * (rest - slope);
    (-newton / correction.max(0.5)).clamp(-3.0, 3.0)
}

/// ln (value / target), to full precision where they are close.
fn ln_ratio(value: f64, target: f64) -> f64 {
    let excess = (value - target) / target;
    if excess.abs() < 0.5 { excess.ln_1p() } else { (value / target).ln() }
}

/// A first guess, within a few percent in the middle.
fn start(a: f64, p: f64, q: f64) -> f64 {
    if a >= 1.0 {
        let z = if p <= q { normal_quantile(p) } else { -normal_quantile(q) };
        let root = 1.0 - (9.0 * a).recip() + z / (3.0 * a.sqrt());
        return if root < 0.4 {
            start_near_zero(a, p, q)
        } else if root < 2.0 {
            a * root * root * root
        } else {
            start_far_out(a, q)
        };
    }
    let x = start_near_zero(a, p, q);
    if x < 1.5 { x } else { start_far_out(a, q) }
}

/// From P ≈ x^a e^(-a x / (a + 1)) / Γ(a + 1).
fn start_near_zero(a: f64, p: f64, q: f64) -> f64 {
    let ln_p = if q < 0.5 { (-q).ln_1p() } else { p.ln() };
    let first = ((ln_p + ln_gamma_1p(a)) / a).exp();
    let second = first * (first / (a + 1.0)).min(1.0).exp();
    first * (second / (a + 1.0)).min(1.0).exp()
}

/// From Q ≈ x^(a-1) e^-x / Γ(a).
fn start_far_out(a: f64, q: f64) -> f64 {
    let exponent = (a.ln() - ln_gamma_1p(a) - q.ln()).max(1.0);
    let first = (exponent + (a - 1.0) * exponent.ln()).max(1.0);
    (exponent + (a - 1.0) * first.ln()).max(0.5)
}
