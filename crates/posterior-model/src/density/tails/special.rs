//! Tails that are incomplete gamma and beta functions.

use posterior_math::special::{
    beta_p_gradient, gamma_p_shape_derivative, ln_beta, ln_beta_p, ln_beta_q, ln_gamma, ln_gamma_p,
    ln_gamma_q,
};

use super::{all_or_nothing, complement, positive};

/// Tails below this are too small for derivatives of theirs that are not logarithms.
const SMALL: f64 = -650.0;

/// The derivative of a function of a positive number, by differences of the sixth order.
fn difference(of: impl Fn(f64) -> f64, at: f64) -> f64 {
    let h = 2e-3 * at;
    let pair = |k: f64| of(at + k * h) - of(at - k * h);
    (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * h)
}

/// ln P(a, x) or ln Q(a, x), and its derivatives by a and x.
pub(super) fn ln_gamma_tail(a: f64, x: f64, upper: bool) -> (f64, f64, f64) {
    if x <= 0.0 {
        return (all_or_nothing(upper), 0.0, 0.0);
    }
    let of = |a: f64| if upper { ln_gamma_q(a, x) } else { ln_gamma_p(a, x) };
    let value = of(a);
    let sign = if upper { -1.0 } else { 1.0 };
    let slope = sign * ((a - 1.0) * x.ln() - x - ln_gamma(a) - value).exp();
    let by_shape = if value > SMALL {
        sign * gamma_p_shape_derivative(a, x) * (-value).exp()
    } else {
        difference(of, a)
    };
    (value, by_shape, slope)
}

/// ln of the incomplete beta function or of its complement, and its derivatives by a, b and x.
pub(super) fn ln_beta_tail(a: f64, b: f64, x: f64, upper: bool) -> (f64, f64, f64, f64) {
    if x <= 0.0 || x >= 1.0 {
        return (all_or_nothing((x <= 0.0) == upper), 0.0, 0.0, 0.0);
    }
    let of = |a: f64, b: f64| if upper { ln_beta_q(a, b, x) } else { ln_beta_p(a, b, x) };
    let value = of(a, b);
    let sign = if upper { -1.0 } else { 1.0 };
    let slope = sign * ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - ln_beta(a, b) - value).exp();
    let (by_a, by_b) = if value > SMALL {
        let (by_a, by_b) = beta_p_gradient(a, b, x);
        (sign * by_a * (-value).exp(), sign * by_b * (-value).exp())
    } else {
        (difference(|a| of(a, b), a), difference(|b| of(a, b), b))
    };
    (value, by_a, by_b, slope)
}

/// y, shape, rate.
pub(super) fn gamma(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, rate) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(rate)) || y.is_nan() {
        return f64::NAN;
    }
    let (value, by_shape, slope) = ln_gamma_tail(a, y * rate, upper);
    (d[0], d[1], d[2]) = (slope * rate, by_shape, slope * y);
    value
}

/// y, shape, scale.
pub(super) fn inv_gamma(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, scale) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(scale)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return all_or_nothing(upper);
    }
    let (value, by_shape, slope) = ln_gamma_tail(a, scale / y, !upper);
    (d[0], d[1], d[2]) = (-slope * scale / (y * y), by_shape, slope / y);
    value
}

/// y, degrees of freedom.
pub(super) fn chi_square(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let value = gamma(&[x[0], 0.5 * x[1], 0.5], upper, d);
    (d[1], d[2]) = (0.5 * d[1], 0.0);
    value
}

/// y, degrees of freedom.
pub(super) fn inv_chi_square(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let value = inv_gamma(&[x[0], 0.5 * x[1], 0.5], upper, d);
    (d[1], d[2]) = (0.5 * d[1], 0.0);
    value
}

/// y, degrees of freedom, scale.
pub(super) fn scaled_inv_chi_square(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, nu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let value = inv_gamma(&[y, 0.5 * nu, 0.5 * nu * s * s], upper, d);
    let (by_shape, by_scale) = (d[1], d[2]);
    (d[1], d[2]) = (0.5 * by_shape + 0.5 * s * s * by_scale, nu * s * by_scale);
    value
}

/// y and two shapes.
pub(super) fn beta(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b)) || y.is_nan() {
        return f64::NAN;
    }
    let (value, by_a, by_b, slope) = ln_beta_tail(a, b, y, upper);
    (d[0], d[1], d[2]) = (slope, by_a, by_b);
    value
}

/// y, mean, precision.
pub(super) fn beta_proportion(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (mu, kappa) = (x[1], x[2]);
    if !(mu > 0.0 && mu < 1.0 && positive(kappa)) {
        return f64::NAN;
    }
    let value = beta(&[x[0], mu * kappa, (1.0 - mu) * kappa], upper, d);
    let (by_a, by_b) = (d[1], d[2]);
    (d[1], d[2]) = (kappa * (by_a - by_b), mu * by_a + (1.0 - mu) * by_b);
    value
}

/// y, degrees of freedom, location, scale.
pub(super) fn student_t(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, nu, mu, s) = (x[0], x[1], x[2], x[3]);
    if !(positive(nu) && positive(s)) || y.is_nan() || mu.is_nan() {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let square = z * z;
    if square.is_infinite() {
        return all_or_nothing((z < 0.0) == upper);
    }
    // Beyond |z| on one side: half of the incomplete beta function at ν / (ν + z²).
    let share = nu / (nu + square);
    let (outer, by_shape) = if share > 0.5 {
        // Near the middle by the complement: its point has all digits.
        let (value, _, by_b, slope) = ln_beta_tail(0.5, 0.5 * nu, square / (nu + square), true);
        (value, 0.5 * by_b - slope * square / (nu + square).powi(2))
    } else {
        let (value, by_a, _, slope) = ln_beta_tail(0.5 * nu, 0.5, share, false);
        (value, 0.5 * by_a + slope * square / (nu + square).powi(2))
    };
    let v = outer - std::f64::consts::LN_2;
    let ln_density = -0.5 * (nu + 1.0) * (square / nu).ln_1p() - 0.5 * nu.ln() - ln_beta(0.5 * nu, 0.5);
    let slope = (ln_density - v).exp() * if z > 0.0 { -1.0 } else { 1.0 };
    (d[0], d[1], d[2], d[3]) = (slope / s, by_shape, -slope / s, -slope * z / s);
    complement(v, (z > 0.0) == upper, d)
}
