//! Tails of normal distributions that lean to one side.

use posterior_dist::{SkewNormal, Univariate};
use posterior_math::log_space::{ln_add_exp, ln_diff_exp};
use posterior_math::special::{HALF_LN_TAU, LN_TAU, ln_normal_cdf};

use super::positive;

/// y, location, scale, rate of the exponential part: Φ(u) - e^c Φ(u - λσ), with c = λ²σ²/2 - λ(y - μ).
pub(super) fn exp_mod_normal(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, rate) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(rate)) {
        return f64::NAN;
    }
    let u = (y - mu) / s;
    let shift = rate * s;
    let ln_second = shift * (0.5 * shift - u) + ln_normal_cdf(u - shift);
    let value = if upper {
        ln_add_exp(ln_normal_cdf(-u), ln_second)
    } else {
        ln_diff_exp(ln_normal_cdf(u), ln_second)
    };
    let sign = if upper { -1.0 } else { 1.0 };
    let second = sign * (ln_second - value).exp();
    let phi = sign * (-0.5 * u * u - HALF_LN_TAU - value).exp();
    d[0] = rate * second;
    d[1] = -d[0];
    d[2] = rate * (phi - shift * second);
    d[3] = s * ((u - shift) * second + phi);
    value
}

/// y, location, scale, shape.
pub(super) fn skew_normal(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, xi, omega, alpha) = (x[0], x[1], x[2], x[3]);
    if !positive(omega) || alpha.is_nan() {
        return f64::NAN;
    }
    let z = (y - xi) / omega;
    // The upper tail is the lower one of the mirror image.
    let (sign, at, shape) = if upper { (-1.0, -z, -alpha) } else { (1.0, z, alpha) };
    let Ok(standard) = SkewNormal::new(0.0, 1.0, shape) else { return f64::NAN };
    let value = standard.ln_cdf(at);
    let slope =
        (std::f64::consts::LN_2 - 0.5 * at * at - HALF_LN_TAU + ln_normal_cdf(shape * at) - value).exp();
    let stretch = 1.0 + shape * shape;
    let by_shape = -(-0.5 * at * at * stretch - LN_TAU + std::f64::consts::LN_2 - value).exp() / stretch;
    (d[0], d[1], d[2]) = (sign * slope / omega, -sign * slope / omega, -sign * slope * z / omega);
    d[3] = sign * by_shape;
    value
}
