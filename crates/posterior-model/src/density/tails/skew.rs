//! Tails of normal distributions that lean to one side.

use std::sync::OnceLock;

use posterior_math::log_space::{ln_add_exp, ln_diff_exp};
use posterior_math::quadrature::GaussLegendre;
use posterior_math::special::{HALF_LN_TAU, LN_TAU, ln_normal_cdf, normal_cdf, owens_t};

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
    let value = ln_skew_lower(at, shape);
    let slope =
        (std::f64::consts::LN_2 - 0.5 * at * at - HALF_LN_TAU + ln_normal_cdf(shape * at) - value).exp();
    let stretch = 1.0 + shape * shape;
    let by_shape = -(-0.5 * at * at * stretch - LN_TAU + std::f64::consts::LN_2 - value).exp() / stretch;
    (d[0], d[1], d[2]) = (sign * slope / omega, -sign * slope / omega, -sign * slope * z / omega);
    d[3] = sign * by_shape;
    value
}

/// Of panels of the integral.
static RULE: OnceLock<Option<GaussLegendre>> = OnceLock::new();

/// ln of Φ(z) - 2 T(z, α); by quadrature where that is a difference of equal numbers.
fn ln_skew_lower(z: f64, alpha: f64) -> f64 {
    let (whole, part) = (normal_cdf(z), 2.0 * owens_t(z, alpha));
    let difference = whole - part;
    if difference > 1e-3 * whole && difference > 1e-280 {
        return difference.ln();
    }
    // ∫ 2 φ(t) Φ(αt) dt up to z, in units of the integrand at z, whose logarithm is concave.
    let Some(rule) = RULE.get_or_init(|| GaussLegendre::new(40).ok()) else { return f64::NAN };
    let ln = |t: f64| -0.5 * t * t + ln_normal_cdf(alpha * t);
    let top = ln(z);
    let (phi, cdf) = (-0.5 * (alpha * z).powi(2) - HALF_LN_TAU, ln_normal_cdf(alpha * z));
    let rate = -z + alpha * (phi - cdf).exp();
    let length = rate.max(1.0).recip();
    let panels = [0.0, 1.0, 3.0, 7.0, 15.0, 45.0];
    let sum: f64 = panels
        .windows(2)
        .map(|ends| rule.integrate(ends[0], ends[1], |v| (ln(z - v * length) - top).exp()))
        .sum();
    top + (sum * length).ln() + std::f64::consts::LN_2 - HALF_LN_TAU
}
