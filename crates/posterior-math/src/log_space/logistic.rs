//! The logistic function σ(x) = 1 / (1 + e^(-x)), its logarithm and its inverse.

use super::ln_exp::ln_1p_exp;

/// σ(x) = 1 / (1 + e^(-x)), with full relative precision in the lower tail.
///
/// ```
/// use posterior_math::log_space::logistic;
///
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(-700.0) / (-700_f64).exp() - 1.0).abs() < 1e-15);
/// ```
pub fn logistic(x: f64) -> f64 {
    if x < 0.0 {
        let e = x.exp();
        e / (1.0 + e)
    } else {
        (1.0 + (-x).exp()).recip()
    }
}

/// ln σ(x) = -ln(1 + e^(-x)).
///
/// ```
/// assert_eq!(posterior_math::log_space::ln_logistic(-1000.0), -1000.0);
/// ```
pub fn ln_logistic(x: f64) -> f64 {
    -ln_1p_exp(-x)
}

/// logit p = ln(p / (1 - p)), the inverse of [`logistic`]: ∓∞ at 0 and 1, NaN outside [0, 1] and for NaN.
///
/// The relative error is below 1e-15 also next to the root p = ½.
///
/// ```
/// assert_eq!(posterior_math::log_space::logit(0.5), 0.0);
/// ```
pub fn logit(p: f64) -> f64 {
    if (0.25..=0.75).contains(&p) {
        // 2p - 1 and, from ½ on, 1 - p are exact here.
        let s = 2.0 * p - 1.0;
        if p >= 0.5 { (s / (1.0 - p)).ln_1p() } else { -(-s / p).ln_1p() }
    } else {
        p.ln() - (-p).ln_1p()
    }
}
