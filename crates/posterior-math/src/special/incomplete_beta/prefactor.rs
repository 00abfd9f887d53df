//! x^a y^b / B(a, b), the density of the logit of a beta variable, without the cancellation of its three
//! factors.

use crate::special::beta::ln_beta;
use crate::special::constants::HALF_LN_TAU;
use crate::special::gamma::ln_gamma;
use crate::special::stirling::{STIRLING_FROM, stirling_remainder, stirling_remainder_difference};

use super::point::Point;
use crate::special::gamma_ratio::{reciprocal_beta, reciprocal_gamma};

/// Below this size of both parameters the three gamma functions themselves are accurate.
const GAMMA_BELOW: f64 = 12.0;

/// The square of such a ratio does not matter.
const TINY_RATIO: f64 = 1e-17;

/// x^a y^b / B(a, b).
pub(super) fn prefactor(point: &Point) -> f64 {
    let Point { a, b, x, y, .. } = *point;
    let (small, large) = if a <= b { (a, b) } else { (b, a) };
    if large < GAMMA_BELOW {
        let (left, right) = (power(x, y, a), power(y, x, b));
        let normal = left.min(right) >= f64::MIN_POSITIVE;
        return if normal { reciprocal_beta(a, b) * left * right } else { ln_prefactor(point).exp() };
    }
    if small < STIRLING_FROM {
        let (near, far) = if a <= b { (x, y) } else { (y, x) };
        let scale = (near * large).powf(small) * reciprocal_gamma(small);
        let growth = growth(small, large);
        let rest = power(far, near, large);
        return if scale > f64::MIN_POSITIVE && scale < f64::INFINITY && rest >= f64::MIN_POSITIVE {
            scale * growth.exp() * rest
        } else {
            ln_prefactor(point).exp()
        };
    }
    let n = a + b;
    (a / (n / b) / std::f64::consts::TAU).sqrt() * saddle_exponent(point).exp()
}

/// Its logarithm.
pub(super) fn ln_prefactor(point: &Point) -> f64 {
    let Point { a, b, x, y, .. } = *point;
    let (small, large) = if a <= b { (a, b) } else { (b, a) };
    if small >= STIRLING_FROM {
        let n = a + b;
        return 0.5 * (a / (n / b)).ln() - HALF_LN_TAU + saddle_exponent(point);
    }
    if large >= GAMMA_BELOW {
        let (near, far) = if a <= b { (x, y) } else { (y, x) };
        let ln_power = small * ln_product(near, large) - ln_gamma(small);
        return ln_power + growth(small, large) + large * ln_proportion(far, near);
    }
    a * ln_proportion(x, y) + b * ln_proportion(y, x) - ln_beta(small, large)
}

/// ln(x y) of positive numbers whose product may be beyond f64.
pub(super) fn ln_product(x: f64, y: f64) -> f64 {
    let product = x * y;
    if product.is_normal() { product.ln() } else { x.ln() + y.ln() }
}

/// ln (Γ(small + large) / (Γ(large) large^small)) for a large parameter of 10 and more, next to which the
/// logarithm of the beta function is large.
pub(super) fn growth(small: f64, large: f64) -> f64 {
    let ratio = small / large;
    // (large + small - ½) ln(1 + ratio) - small, also where the ratio has few digits.
    let power = if ratio < TINY_RATIO {
        0.5 * (small - 1.0) * ratio
    } else {
        (large + (small - 0.5)) * ratio.ln_1p() - small
    };
    power + stirling_remainder_difference(large, small)
}

/// ln x for x = 1 - y, from the smaller of the two.
fn ln_proportion(x: f64, y: f64) -> f64 {
    if x <= 0.5 { x.ln() } else { (-y).ln_1p() }
}

/// x^a for x = 1 - y, from the smaller of the two.
fn power(x: f64, y: f64, a: f64) -> f64 {
    if x <= 0.5 { x.powf(a) } else { (a * (-y).ln_1p()).exp() }
}

/// -D(a; n x) - D(b; n y) and the remainders of Stirling's formula.
fn saddle_exponent(point: &Point) -> f64 {
    let Point { a, b, .. } = *point;
    let remainder = if a <= b {
        -stirling_remainder(a) + stirling_remainder_difference(b, a)
    } else {
        -stirling_remainder(b) + stirling_remainder_difference(a, b)
    };
    remainder - peak_deviance(point)
}

/// D(a; n x) + D(b; n y), zero where x is the mean.
pub(super) fn peak_deviance(point: &Point) -> f64 {
    let Point { a, b, x, y, excess } = *point;
    deviance(a, excess, x, a + b) + deviance(b, -excess, y, a + b)
}

/// Coefficients of 2 (artanh(v) - v) / v³ in v².
const ARTANH: [f64; 9] =
    [2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0, 2.0 / 11.0, 2.0 / 13.0, 2.0 / 15.0, 2.0 / 17.0, 2.0 / 19.0];

/// a ln(a / m) + m - a for m = a - excess, a proportion of n.
fn deviance(a: f64, excess: f64, proportion: f64, n: f64) -> f64 {
    let m = a - excess;
    let v = 0.5 * excess / (0.5 * a + 0.5 * m);
    let square = v * v;
    if square < 0.015 {
        return excess * v + a * v * square * crate::special::polynomial::polynomial(&ARTANH, square);
    }
    if square < 0.16 {
        let (mut power, mut sum, mut order) = (2.0 * (a * v), excess * v, 3.0);
        while order < 45.0 {
            power *= square;
            sum += power / order;
            order += 2.0;
        }
        return sum;
    }
    let ratio = a / n / proportion;
    a * if ratio.is_normal() { ratio.ln() } else { a.ln() - n.ln() - proportion.ln() } - excess
}
