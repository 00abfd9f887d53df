//! The power series of the incomplete beta function for small b x, exact in both tails for small a.

use crate::special::beta::ln_beta;
use crate::special::gamma::{LN_GAMMA_1P, ln_gamma_1p};
use crate::special::polynomial::divided_difference;
use crate::special::rising::ln_pochhammer;

use super::point::Point;
use super::prefactor::{growth, ln_product};
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
    let proportion = leading(a, b, x);
    let lower = (proportion * (1.0 + sum)).clamp(0.0, 1.0);
    if lower <= 0.7 {
        return (lower, 1.0 - lower, proportion);
    }
    // b x, whose logarithm does not cancel.
    let exponent = if b < LARGE {
        a * x.ln() + ln_leading(a, b)
    } else {
        a * ln_product(b, x) + growth(a, b) - ln_gamma_1p(a)
    };
    let upper = -exponent.exp_m1() - proportion * sum;
    (lower, upper.clamp(0.0, 1.0), proportion)
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
        let product = b * x;
        let power = if product.is_normal() { product.powf(a) } else { (a * ln_product(b, x)).exp() };
        return power * growth(a, b).exp() * reciprocal_gamma(1.0 + a);
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
