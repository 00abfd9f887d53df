//! The power series of the incomplete beta function for small b x, exact in both tails for small a.

use crate::special::beta::ln_beta;
use crate::special::gamma::ln_gamma;
use crate::special::polynomial::{divided_difference, polynomial};
use crate::special::rising::ln_pochhammer;

use super::point::Point;
use super::prefactor::growth;
use crate::special::gamma_ratio::{reciprocal_beta, reciprocal_gamma};

/// (I_x(a, b), 1 - I_x(a, b)) for a ≤ 1 and either b x ≤ 1 or b ≤ 1, x at most about one half:
///
/// I = G x^a (1 + a S),  G = Γ(a + b) / (Γ(a + 1) Γ(b)),  S = Σ_{k ≥ 1} (1 - b)_k x^k / (k! (a + k)).
///
/// Where I is close to one, 1 - I = -expm1(ln G x^a) - G x^a a S.
pub(super) fn both_tails(point: &Point) -> (f64, f64) {
    let (lower, upper, _) = with_leading(point);
    (lower, upper)
}

/// The two tails and x^a y^b / B(a, b).
pub(super) fn with_prefactor(point: &Point) -> (f64, f64, f64) {
    let (lower, upper, leading) = with_leading(point);
    (lower, upper, leading * point.a * (point.b * (-point.x).ln_1p()).exp())
}

/// The two tails and G x^a.
fn with_leading(point: &Point) -> (f64, f64, f64) {
    let Point { a, b, x, .. } = *point;
    let sum = a * power_sum(a, b, x);
    let share = leading(a, b, x);
    let lower = (share * (1.0 + sum)).clamp(0.0, 1.0);
    if lower <= 0.7 {
        return (lower, 1.0 - lower, share);
    }
    // b x, whose logarithm does not cancel.
    let exponent = if b < LARGE {
        a * x.ln() + ln_leading(a, b)
    } else {
        a * (b * x).ln() + growth(a, b) - ln_gamma_1p(a)
    };
    let upper = -exponent.exp_m1() - share * sum;
    (lower, upper.clamp(0.0, 1.0), share)
}

/// ln I_x(a, b) in the same domain, where I_x itself may be too small for f64.
pub(super) fn ln_lower(point: &Point) -> f64 {
    let Point { a, b, x, .. } = *point;
    a * x.ln() - ln_beta(a, b) - a.ln() + (a * power_sum(a, b, x)).ln_1p()
}

fn power_sum(a: f64, b: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 0.0, 1.0);
    // b x ≤ 1 or b ≤ 1, so that the terms fall at least like x^k or 1 / k!.
    while k < 200.0 {
        term *= (1.0 - b / k) * x;
        let part = term / (a + k);
        sum += part;
        if part.abs() <= 1e-17 * sum.abs() || sum == 0.0 {
            break;
        }
        k += 1.0;
    }
    sum
}

/// G x^a.
fn leading(a: f64, b: f64, x: f64) -> f64 {
    if a + b <= SMALL {
        return x.powf(a) * (b / (a + b)) * ln_leading_ratio(a, b).exp();
    }
    // 1 / B is of the size of a, and has no more digits than a subnormal number; the logarithm of G has them.
    if b < LARGE && a > f64::EPSILON {
        return x.powf(a) * reciprocal_beta(a, b) / a;
    }
    if b >= LARGE {
        return (b * x).powf(a) * growth(a, b).exp() * reciprocal_gamma(1.0 + a);
    }
    (a * x.ln() + ln_leading(a, b)).exp()
}

/// From here on Γ(a + b) / Γ(b) is nearly bᵃ.
const LARGE: f64 = 12.0;

/// ln G, of the size of a.
fn ln_leading(a: f64, b: f64) -> f64 {
    if a + b <= SMALL {
        return ln_leading_ratio(a, b) - (a / b).ln_1p();
    }
    ln_pochhammer(b, a) - ln_gamma_1p(a)
}

/// Up to this sum of the parameters G is b / (a + b), nearly.
const SMALL: f64 = 0.25;

/// ln (G (a + b) / b): Γ(s + 1) = s Γ(s), and ln Γ(1 + s) = s R(s).
fn ln_leading_ratio(a: f64, b: f64) -> f64 {
    let (at_b, slope) = divided_difference(&LN_GAMMA_1P, a + b, b);
    a * (at_b + (a + b) * slope) - ln_gamma_1p(a)
}

/// The Taylor coefficients of ln Γ(1 + s) / s: -γ, then (-1)^k ζ(k) / k for k = 2, 3, … (mpmath 1.4 at 40 digits).
const LN_GAMMA_1P: [f64; 25] = [
    -0.577_215_664_901_532_860_6,
    0.8224670334241132182362,
    -0.4006856343865314284666,
    0.270580808427784547879,
    -0.2073855510286739852663,
    0.1695571769974081899524,
    -0.14404989676884611812,
    0.1255096695247430424223,
    -0.1113342658695646904909,
    0.1000994575127818085337,
    -0.09095401714582904223261,
    0.08335384054610900402489,
    -0.07693251641135219147283,
    0.07143294629536133605923,
    -0.0666687058824204680329,
    0.06250095514121304074198,
    -0.05882397865868458233896,
    0.05555576762740361110221,
    -0.05263167937961666073363,
    0.05000004769810169363981,
    -0.04761907033014222799078,
    0.04545455629320466944241,
    -0.04347826605304025936135,
    0.04166666915034121046914,
    -0.04000000119214014058609,
];

/// ln Γ(1 + s), with full relative precision for small s ≥ 0.
fn ln_gamma_1p(s: f64) -> f64 {
    if s > 0.25 { ln_gamma(1.0 + s) } else { s * polynomial(&LN_GAMMA_1P, s) }
}
