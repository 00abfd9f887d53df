//! ln(1 ± e^x), and the sum and the difference of two numbers in log space.

use std::f64::consts::LN_2;

/// ln(1 + e^x), the softplus function, for every x: it neither overflows nor rounds e^x away.
///
/// Relative error below 1e-15.
///
/// ```
/// use posterior_math::log_space::ln_1p_exp;
///
/// assert_eq!(ln_1p_exp(-40.0), (-40_f64).exp()); // 4.2e-18; the naive form gives 0
/// assert_eq!(ln_1p_exp(1e4), 1e4);
/// ```
///
/// # References
/// M. Mächler, Accurately computing log(1 - exp(-|a|)), R package Rmpfr, 2012.
#[doc(alias = "softplus")]
pub fn ln_1p_exp(x: f64) -> f64 {
    if x <= -37.0 {
        x.exp()
    } else if x <= 18.0 {
        x.exp().ln_1p()
    } else if x <= 33.3 {
        x + (-x).exp()
    } else {
        x
    }
}

/// ln(1 - e^x) for x ≤ 0; -∞ at 0, NaN for positive x and for NaN.
///
/// Relative error below 1e-15.
///
/// ```
/// let value = posterior_math::log_space::ln_1m_exp(-1e-10);
/// assert!((value + 23.02585092999046).abs() < 1e-14);
/// ```
pub fn ln_1m_exp(x: f64) -> f64 {
    if x > -LN_2 { (-x.exp_m1()).ln() } else { (-x.exp()).ln_1p() }
}

/// ln(e^a + e^b).
///
/// ```
/// assert_eq!(posterior_math::log_space::ln_add_exp(f64::NEG_INFINITY, 3.0), 3.0);
/// ```
pub fn ln_add_exp(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    if high.is_infinite() {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

/// ln(e^a - e^b) for a ≥ b; -∞ for a = b, NaN for a < b and for NaN.
///
/// ```
/// let value = posterior_math::log_space::ln_diff_exp(1000.0, 999.0);
/// assert!((value - (1000.0 + (1.0 - (-1_f64).exp()).ln())).abs() < 1e-12);
/// ```
pub fn ln_diff_exp(a: f64, b: f64) -> f64 {
    if a == b {
        f64::NEG_INFINITY
    } else if b == f64::NEG_INFINITY || (a == f64::INFINITY && b < a) {
        a
    } else {
        a + ln_1m_exp(b - a)
    }
}
