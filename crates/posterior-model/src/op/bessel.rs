//! Bessel functions of whole order, and the modified one of any order by its logarithm.

use std::f64::consts::PI;

use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_math::special::{bessel_k, digamma, ln_bessel_i0, ln_gamma};

/// J of whole order: the trapezoidal rule of Bessel's integral, whose error falls faster than any power.
pub(crate) fn first(order: f64, x: f64) -> f64 {
    let n = 60 + (2.0 * (order.abs() + x.abs())).ceil() as usize;
    let term = |k: usize| {
        let angle = PI * (k as f64 + 0.5) / n as f64;
        (order * angle - x * angle.sin()).cos()
    };
    (0..n).map(term).sum::<f64>() / n as f64
}

/// Y of whole order, for positive x: two integrals.
pub(crate) fn second(order: f64, x: f64) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if order < 0.0 {
        let sign = if order % 2.0 == 0.0 { 1.0 } else { -1.0 };
        return sign * second(-order, x);
    }
    let options = QuadratureOptions { relative: 1e-14, absolute: 1e-14, ..QuadratureOptions::default() };
    if order > 1.0 {
        // Upwards by the recurrence, which is stable.
        let (mut below, mut own) = (second(0.0, x), second(1.0, x));
        for k in 1..order as u32 {
            (below, own) = (own, 2.0 * f64::from(k) / x * own - below);
        }
        return own;
    }
    let turning = gauss_kronrod(|t| (x * t.sin() - order * t).sin(), 0.0, PI, &options).value;
    let sign = if order == 0.0 { 1.0 } else { -1.0 };
    let far = (750.0 / x).asinh().max(1.0);
    let decay = |t: f64| ((order * t).exp() + sign * (-order * t).exp()) * (-x * t.sinh()).exp();
    let pieces = [0.0, 0.25 * far, 0.5 * far, far];
    let falling: f64 =
        pieces.windows(2).map(|ends| gauss_kronrod(decay, ends[0], ends[1], &options).value).sum();
    (turning - falling) / PI
}

/// I of whole order: I₀ times ratios by the recurrence backwards.
pub(crate) fn modified_first(order: f64, x: f64) -> f64 {
    let order = order.abs();
    if x == 0.0 {
        return f64::from(order == 0.0);
    }
    let sign = if x < 0.0 && order % 2.0 != 0.0 { -1.0 } else { 1.0 };
    let size = x.abs();
    let n = order as usize + 40 + (12.0 * size.sqrt()).ceil() as usize;
    let (mut step, mut ln) = (0.0, ln_bessel_i0(size));
    for j in (0..n).rev() {
        step = (2.0 * (j as f64 + 1.0) / size + step).recip();
        if (j as f64) < order {
            ln += f64::ln(step);
        }
    }
    sign * ln.exp()
}

/// K of whole order.
pub(crate) fn modified_second(order: f64, x: f64) -> f64 {
    bessel_k(order.abs(), x)
}

/// ln I of any order from -1 on, and its derivatives by order and argument: a series of positive terms, from
/// the largest to both sides.
pub(crate) fn ln_modified_first(order: f64, x: f64) -> (f64, f64, f64) {
    if !(order > -1.0 && x >= 0.0) {
        return (f64::NAN, f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        let value = if order == 0.0 { 0.0 } else { f64::NEG_INFINITY };
        return (value, f64::NAN, f64::NAN);
    }
    let ln_half = (0.5 * x).ln();
    let term = |k: f64| (2.0 * k + order) * ln_half - ln_gamma(k + 1.0) - ln_gamma(k + order + 1.0);
    let peak = (0.5 * (order.hypot(x) - order)).max(0.0).floor();
    let top = term(peak);
    let (mut sum, mut by_order, mut by_x) = (0.0, 0.0, 0.0);
    let mut add = |k: f64| {
        let weight = (term(k) - top).exp();
        sum += weight;
        by_order += weight * (ln_half - digamma(k + order + 1.0));
        by_x += weight * (2.0 * k + order) / x;
        weight > 1e-18
    };
    let mut k = peak;
    while add(k) {
        k += 1.0;
    }
    k = peak - 1.0;
    while k >= 0.0 && add(k) {
        k -= 1.0;
    }
    (top + sum.ln(), by_order / sum, by_x / sum)
}

/// W with W e^W = x: the upper branch, or the lower one.
pub(crate) fn lambert(x: f64, lower: bool) -> f64 {
    let edge = -(-1.0_f64).exp();
    if !(x >= edge) || (lower && x >= 0.0) {
        return if lower && x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if x == 0.0 {
        return 0.0;
    }
    let root = (2.0 * (std::f64::consts::E * x + 1.0).max(0.0)).sqrt();
    let mut w = start_of_lambert(x, root, lower);
    for _ in 0..60 {
        let e = w.exp();
        let f = w * e - x;
        let step = f / (e * (w + 1.0) - 0.5 * (w + 2.0) * f / (w + 1.0));
        if !step.is_finite() {
            break;
        }
        w -= step;
        if step.abs() <= 1e-16 * w.abs() {
            break;
        }
    }
    w
}

/// Near the root: by series around the branch point and at infinity.
fn start_of_lambert(x: f64, root: f64, lower: bool) -> f64 {
    if lower {
        let ln = (-x).ln();
        return if x > -0.25 { ln - (-ln).ln() } else { -1.0 - root - root * root / 3.0 };
    }
    if x < 0.3 {
        -1.0 + root - root * root / 3.0
    } else if x < 3.0 {
        0.8 * x.ln_1p()
    } else {
        x.ln() - x.ln().ln()
    }
}
