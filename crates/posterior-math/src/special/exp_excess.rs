//! How far the exponential function is above its tangent at zero.

use super::polynomial::polynomial;

/// 1/2!, 1/3!, …, 1/19!
const SERIES: [f64; 18] = {
    let mut coefficients = [0.5; 18];
    let mut k = 1;
    while k < 18 {
        coefficients[k] = coefficients[k - 1] / (k as f64 + 2.0);
        k += 1;
    }
    coefficients
};

/// eˣ - 1 - x ≥ 0: what ln r costs beside r - 1, term by term in a divergence of two distributions, and the
/// deviance of a gamma variable.
///
/// Relative error below 1e-15, also where the three terms cancel. +∞ at both infinities; NaN for NaN.
///
/// ```
/// let value = posterior_math::special::exp_excess(1e-9);
/// assert!((value / 5.000000001666667e-19 - 1.0).abs() < 1e-15);
/// ```
pub fn exp_excess(x: f64) -> f64 {
    if x.abs() < 1.0 {
        x * x * polynomial(&SERIES, x)
    } else if x == f64::INFINITY {
        x
    } else {
        x.exp_m1() - x
    }
}
