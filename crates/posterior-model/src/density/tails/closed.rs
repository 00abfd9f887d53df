//! Tails of functions that the library has: normal, logistic, arctangent, straight lines.

use posterior_math::log_space::{ln_logistic, logistic as share};
use posterior_math::special::{HALF_LN_TAU, ln_normal_cdf};

use super::{all_or_nothing, positive};

/// ln Φ(z) or ln Φ(-z), and its slope.
pub(super) fn ln_phi(z: f64, upper: bool) -> (f64, f64) {
    let sign = if upper { -1.0 } else { 1.0 };
    let value = ln_normal_cdf(sign * z);
    (value, sign * (-0.5 * z * z - HALF_LN_TAU - value).exp())
}

/// ln of the logistic function of z or of -z, and its slope.
fn ln_share(z: f64, upper: bool) -> (f64, f64) {
    let sign = if upper { -1.0 } else { 1.0 };
    (ln_logistic(sign * z), sign * share(-sign * z))
}

/// Derivatives by y, location and scale of a function of z = (y - location) / scale.
fn standard(z: f64, scale: f64, (value, slope): (f64, f64), d: &mut [f64; 8]) -> f64 {
    d[0] = slope / scale;
    d[1] = -d[0];
    d[2] = -d[0] * z;
    value
}

pub(super) fn std_normal(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (value, slope) = ln_phi(x[0], upper);
    d[0] = slope;
    value
}

pub(super) fn normal(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    if !positive(x[2]) {
        return f64::NAN;
    }
    let z = (x[0] - x[1]) / x[2];
    standard(z, x[2], ln_phi(z, upper), d)
}

pub(super) fn lognormal(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    if !(positive(x[2]) && x[0] >= 0.0) {
        return f64::NAN;
    }
    if x[0] == 0.0 {
        return all_or_nothing(upper);
    }
    let z = (x[0].ln() - x[1]) / x[2];
    let value = standard(z, x[2], ln_phi(z, upper), d);
    d[0] /= x[0];
    value
}

pub(super) fn logistic(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    if !positive(x[2]) {
        return f64::NAN;
    }
    let z = (x[0] - x[1]) / x[2];
    standard(z, x[2], ln_share(z, upper), d)
}

/// y, scale, shape.
pub(super) fn loglogistic(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    if y == 0.0 {
        return all_or_nothing(upper);
    }
    let ln_ratio = (y / a).ln();
    let (value, slope) = ln_share(b * ln_ratio, upper);
    (d[0], d[1], d[2]) = (slope * b / y, -slope * b / a, slope * ln_ratio);
    value
}

pub(super) fn cauchy(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    if !positive(x[2]) {
        return f64::NAN;
    }
    let z = (x[0] - x[1]) / x[2];
    let sign = if upper { -1.0 } else { 1.0 };
    // The angle from the far end: nothing cancels there.
    let share = f64::atan2(1.0, -sign * z) * std::f64::consts::FRAC_1_PI;
    let slope = sign * std::f64::consts::FRAC_1_PI / ((1.0 + z * z) * share);
    standard(z, x[2], (share.ln(), slope), d)
}

pub(super) fn uniform(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, low, high) = (x[0], x[1], x[2]);
    if !(low < high) || y.is_nan() {
        return f64::NAN;
    }
    if y <= low || y >= high {
        return all_or_nothing((y <= low) == upper);
    }
    let width = high - low;
    if upper {
        d[0] = -(high - y).recip();
        (d[1], d[2]) = (width.recip(), -d[0] - width.recip());
        return ((high - y) / width).ln();
    }
    d[0] = (y - low).recip();
    (d[1], d[2]) = (width.recip() - d[0], -width.recip());
    ((y - low) / width).ln()
}
