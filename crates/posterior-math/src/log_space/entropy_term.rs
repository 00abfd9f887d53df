//! x ln x and x ln y with 0 ln 0 = 0, the terms of entropies and of likelihoods of counts.

/// x ln x, and its limit 0 at x = 0. NaN for negative x and for NaN.
///
/// ```
/// assert_eq!(posterior_math::log_space::x_ln_x(0.0), 0.0);
/// ```
pub fn x_ln_x(x: f64) -> f64 {
    x_ln_y(x, x)
}

/// x ln y, and 0 at x = 0 whatever y ≥ 0 is: what never happens has no log-probability to add.
///
/// NaN for negative y and for NaN.
///
/// ```
/// use posterior_math::log_space::x_ln_y;
///
/// assert_eq!(x_ln_y(0.0, 0.0), 0.0);
/// assert_eq!(x_ln_y(2.0, 0.0), f64::NEG_INFINITY);
/// ```
pub fn x_ln_y(x: f64, y: f64) -> f64 {
    if x == 0.0 && y >= 0.0 { 0.0 } else { x * y.ln() }
}
