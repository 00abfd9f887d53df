//! The factor x^a e^-x / Γ(a + 1) that all methods share, without cancellation in its exponent.

use std::f64::consts::{EULER_GAMMA, TAU};

use super::super::deviance::poisson_deviance;
use super::super::exact::{exact_product, exact_square};
use super::super::gamma::ln_gamma_1p;
use super::super::polynomial::{polynomial, polynomial_in_halves};
use super::super::stirling::stirling_remainder;

/// From this shape on, Stirling's formula and the uniform expansion.
pub(super) const LARGE_FROM: f64 = 12.0;

/// |a - x| / (a + x) below which the deviance has its series.
pub(super) const NEAR: f64 = 0.4;

/// And below which its exponential is as accurate as a power.
const SERIES_TO: f64 = 0.15;

/// (1 / Γ(1 + a) - 1) / a on [0, 1], in powers of a; error below 2e-19 (interpolation at Chebyshev points
/// with 60 digits, mpmath 1.3; so are the others).
const RECIPROCAL: [f64; 16] = [
    EULER_GAMMA,
    -0.655878071520254,
    -0.04200263503408799,
    0.1665386113820472,
    -0.04219773455120637,
    -0.009621971574559659,
    0.0072189435772744654,
    -0.0011651692147261472,
    -0.00021523596538407523,
    0.00012803559009556326,
    -2.010688466344845e-05,
    -1.2899723563212623e-06,
    1.1740724102205754e-06,
    -2.3653170507823626e-07,
    2.2424850163772112e-08,
    -6.992674030997718e-10,
];

/// (artanh v - v) / v³ on v² ≤ 0.17, as a ratio of polynomials in v²; error below 3e-19.
const ARTANH_ABOVE: [f64; 6] = [
    0.3333333333333333,
    -0.642394862503603,
    0.387554282470161,
    -0.07310027006060557,
    0.0008610068697429562,
    4.4015101622308846e-05,
];
const ARTANH_BELOW: [f64; 5] =
    [1.0, -2.527184587510809, 2.2504021713455655, -0.81979633739117, 0.09967033945567211];

/// √(2π/a) (a/e)^a / Γ(a) for a ≥ 12, in powers of 1/a; error below 1e-18.
const RECIPROCAL_SCALED_GAMMA: [f64; 9] = [
    1.0,
    -0.08333333333333141,
    0.003472222221604655,
    0.0026813272369684035,
    -0.0002294768515508367,
    -0.000783872260066661,
    6.626522327762514e-05,
    0.0006344663132433795,
    -0.000336142102043378,
];

/// x^a e^-x / Γ(a + 1).
pub(super) fn prefactor(a: f64, x: f64) -> f64 {
    if a < LARGE_FROM {
        small_prefactor(a, x)
    } else {
        decay(a, x) * polynomial(&RECIPROCAL_SCALED_GAMMA, a.recip()) / (TAU * a).sqrt()
    }
}

/// ln (x^a e^-x / Γ(a + 1)).
pub(super) fn ln_prefactor(a: f64, x: f64) -> f64 {
    if a < LARGE_FROM {
        a * x.ln() - x - ln_gamma_1p(a)
    } else {
        -poisson_deviance(a, x) - stirling_remainder(a) - 0.5 * (TAU.ln() + a.ln())
    }
}

/// (1 / Γ(1 + a) - 1) / a on [0, 1].
pub(super) fn reciprocal_gamma_slope(a: f64) -> f64 {
    polynomial_in_halves(&RECIPROCAL, a)
}

/// x^a e^-x / Γ(a + 1) for a < 12.
fn small_prefactor(a: f64, x: f64) -> f64 {
    if x > 1000.0 {
        return 0.0;
    }
    let (mut base, mut product) = (a, 1.0);
    while base > 1.0 {
        product *= base;
        base -= 1.0;
    }
    // In halves: e^-x alone may be subnormal.
    let decay = (-0.5 * x).exp();
    let reciprocal = (1.0 + base * reciprocal_gamma_slope(base)) / product;
    x.powf(a) * decay * reciprocal * decay
}

/// exp(-D(a; x)) for a ≥ 12, with the deviance D = a ln(a / x) + x - a.
fn decay(a: f64, x: f64) -> f64 {
    if (a - x).abs() < NEAR * (a + x) {
        let (deviance, rest) = near_deviance(a, x);
        near_decay(a, x, deviance, rest)
    } else {
        power_decay(a, x)
    }
}

/// exp(-D(a; x)), where D is known to be `deviance` + `rest`.
pub(super) fn near_decay(a: f64, x: f64, deviance: f64, rest: f64) -> f64 {
    if (a - x).abs() < SERIES_TO * (a + x) {
        let decay = (-deviance).exp();
        decay - decay * rest
    } else {
        power_decay(a, x)
    }
}

/// (x / a)^a e^(a - x), with what the ratio and the difference lost by rounding.
///
/// As the sixteenth power of its root: the two factors leave f64 before their product does.
fn power_decay(a: f64, x: f64) -> f64 {
    let (difference, ratio) = (a - x, x / a);
    // D > ½ (a - x)² / (a + x)
    if difference * (difference / (a + x)) > 1600.0 || ratio < 1e-60 {
        return 0.0;
    }
    let (product, product_rest) = exact_product(ratio, a);
    let lost = ((x - product) - product_rest) / ratio;
    let root = ratio.powf(a / 16.0) * (difference / 16.0).exp();
    let fourth = (root * root) * (root * root);
    (fourth * fourth) * (fourth * fourth) * (1.0 + (lost + rest_of_difference(a, x, difference)))
}

/// The deviance D(a; x) as a rounded number and what the rounding left, for |a - x| < 0.4 (a + x).
///
/// With v = (a - x) / (a + x), D = (a - x) v + 2 a v³ (1/3 + v²/5 + …). The first term, which is most of it,
/// has twice the digits of f64: the exponential of a deviance of 700 would lose three digits to its rounding.
pub(super) fn near_deviance(a: f64, x: f64) -> (f64, f64) {
    let difference = a - x;
    let sum = a + x;
    let v = difference / sum;
    let (square, square_rest) = exact_square(difference);
    let first = square / sum;
    let (product, product_rest) = exact_product(first, sum);
    let sum_rest = x - (sum - a);
    let sum_rest = sum_rest + (a - (sum - (sum - a)));
    let difference_rest = rest_of_difference(a, x, difference);
    let first_rest = ((square - product)
        + (square_rest - product_rest)
        + (2.0 * difference * difference_rest - first * sum_rest))
        / sum;
    let squared = v * v;
    let series = polynomial(&ARTANH_ABOVE, squared) / polynomial(&ARTANH_BELOW, squared);
    let second = 2.0 * a * (v * squared) * series;
    let deviance = first + second;
    // |second| < first
    (deviance, (second - (deviance - first)) + first_rest)
}

/// a - x - `difference` for the rounded difference (Knuth's two-sum).
fn rest_of_difference(a: f64, x: f64, difference: f64) -> f64 {
    let back = difference - a;
    (a - (difference - back)) - (x + back)
}
