//! Tails whose logarithm is simple on one side; the other side is its complement.

use super::{all_or_nothing, complement, positive};

/// y, rate.
pub(super) fn exponential(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !positive(rate) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return all_or_nothing(upper);
    }
    (d[0], d[1]) = (-rate, -y);
    complement(-rate * y, upper, d)
}

/// y, shape, scale.
pub(super) fn weibull(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return all_or_nothing(upper);
    }
    let ln_ratio = (y / s).ln();
    let v = -(a * ln_ratio).exp();
    (d[0], d[1], d[2]) = (v * a / y, v * ln_ratio, -v * a / s);
    complement(v, upper, d)
}

/// y, shape, scale.
pub(super) fn frechet(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return all_or_nothing(upper);
    }
    let ln_ratio = (y / s).ln();
    let v = -(-a * ln_ratio).exp();
    (d[0], d[1], d[2]) = (-v * a / y, -v * ln_ratio, v * a / s);
    complement(v, !upper, d)
}

/// y, location, scale.
pub(super) fn gumbel(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let v = -(-z).exp();
    (d[0], d[1], d[2]) = (-v / s, v / s, v * z / s);
    complement(v, !upper, d)
}

/// y, scale.
pub(super) fn rayleigh(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, s) = (x[0], x[1]);
    if !positive(s) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return all_or_nothing(upper);
    }
    let z = y / s;
    (d[0], d[1]) = (-z / s, z * z / s);
    complement(-0.5 * z * z, upper, d)
}

/// y, least value, shape.
pub(super) fn pareto(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, low, a) = (x[0], x[1], x[2]);
    if !(positive(low) && positive(a)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= low {
        return all_or_nothing(upper);
    }
    let ln_ratio = (low / y).ln();
    (d[0], d[1], d[2]) = (-a / y, a / low, ln_ratio);
    complement(a * ln_ratio, upper, d)
}

/// y, location, scale, shape.
pub(super) fn pareto_type_2(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, a) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(a)) || y.is_nan() || mu.is_nan() {
        return f64::NAN;
    }
    if y <= mu {
        return all_or_nothing(upper);
    }
    let z = (y - mu) / s;
    let slope = -a / (1.0 + z);
    (d[0], d[1], d[2], d[3]) = (slope / s, -slope / s, -slope * z / s, -z.ln_1p());
    complement(-a * z.ln_1p(), upper, d)
}

/// y, location, scale.
pub(super) fn double_exponential(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    // The outer tail: ln ½ - |z|.
    let sign = if z > 0.0 { -1.0 } else { 1.0 };
    (d[0], d[1], d[2]) = (sign / s, -sign / s, -sign * z / s);
    complement(sign * z - std::f64::consts::LN_2, (z > 0.0) == upper, d)
}

/// y, location, scale, skewness: Stan's, with twice the rates.
pub(super) fn skew_double_exponential(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, tau) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && tau > 0.0 && tau < 1.0) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let (v, slope) = if z < 0.0 {
        d[3] = tau.recip() - 2.0 * z;
        (tau.ln() + 2.0 * (1.0 - tau) * z, 2.0 * (1.0 - tau))
    } else {
        d[3] = -(1.0 - tau).recip() - 2.0 * z;
        ((-tau).ln_1p() - 2.0 * tau * z, -2.0 * tau)
    };
    (d[0], d[1], d[2]) = (slope / s, -slope / s, -slope * z / s);
    complement(v, (z >= 0.0) == upper, d)
}
