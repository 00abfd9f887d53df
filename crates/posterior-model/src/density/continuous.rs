//! Densities on the line.

use posterior_math::log_space::{ln_1p_exp, logistic, x_ln_y};
use posterior_math::special::{
    HALF_LN_TAU, LN_TAU, bessel_i1_over_i0, digamma, ln_bessel_i0, ln_beta, ln_gamma, ln_normal_cdf,
};

use super::{NONE, positive};

#[inline]
pub(super) fn normal(y: f64, mu: f64, s: f64, d: &mut [f64; 8]) -> f64 {
    if !(s > 0.0) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    (d[0], d[1], d[2]) = (-z / s, z / s, (z * z - 1.0) / s);
    -0.5 * z * z - s.ln() - HALF_LN_TAU
}

pub(super) fn exp_mod_normal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, rate) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(rate)) {
        return f64::NAN;
    }
    // ln(λ/2) + λ (μ + λ σ²/2 - y) + ln erfc(u / √2), u = (μ + λ σ² - y) / σ; erfc(u/√2) = 2 Φ(-u).
    let u = (mu + rate * s * s - y) / s;
    let ln_tail = ln_normal_cdf(-u);
    let mills = -(-0.5 * u * u - HALF_LN_TAU - ln_tail).exp();
    d[0] = -rate - mills / s;
    d[1] = rate + mills / s;
    d[2] = rate * rate * s + mills * (2.0 * rate - u / s);
    d[3] = 1.0 / rate + mu - y + rate * s * s + mills * s;
    rate.ln() + rate * (mu + 0.5 * rate * s * s - y) + ln_tail
}

pub(super) fn skew_normal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, alpha) = (x[0], x[1], x[2], x[3]);
    if !(s > 0.0) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let ln_tail = ln_normal_cdf(alpha * z);
    let mills = (-0.5 * alpha * alpha * z * z - HALF_LN_TAU - ln_tail).exp();
    let by_z = -z + alpha * mills;
    (d[0], d[1], d[2], d[3]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s, z * mills);
    std::f64::consts::LN_2 - HALF_LN_TAU - s.ln() - 0.5 * z * z + ln_tail
}

pub(super) fn student_t(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, nu, mu, s) = (x[0], x[1], x[2], x[3]);
    if !(positive(nu) && positive(s)) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let square = z * z / nu;
    let half = 0.5 * nu + 0.5;
    let by_z = -(nu + 1.0) * z / (nu + z * z);
    d[0] = by_z / s;
    d[1] = 0.5 * (digamma(half) - digamma(0.5 * nu) - 1.0 / nu - square.ln_1p())
        + half * square / (nu * (1.0 + square));
    d[2] = -by_z / s;
    d[3] = (-by_z * z - 1.0) / s;
    ln_gamma(half)
        - ln_gamma(0.5 * nu)
        - 0.5 * (nu * std::f64::consts::PI).ln()
        - s.ln()
        - half * square.ln_1p()
}

pub(super) fn cauchy(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = -2.0 * z / (1.0 + z * z);
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -(std::f64::consts::PI * s).ln() - (z * z).ln_1p()
}

pub(super) fn double_exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let gap = y - mu;
    let sign = if gap > 0.0 {
        1.0
    } else if gap < 0.0 {
        -1.0
    } else {
        0.0
    };
    (d[0], d[1], d[2]) = (-sign / s, sign / s, (gap.abs() / s - 1.0) / s);
    -(2.0 * s).ln() - gap.abs() / s
}

pub(super) fn logistic_density(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = 2.0 * logistic(-z) - 1.0;
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -z - s.ln() - 2.0 * ln_1p_exp(-z)
}

pub(super) fn gumbel(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = (-z).exp_m1();
    (d[0], d[1], d[2]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s);
    -s.ln() - z - (-z).exp()
}

pub(super) fn skew_double_exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, tau) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && (0.0..=1.0).contains(&tau)) {
        return f64::NAN;
    }
    // ln 2 τ(1 - τ)/σ - 2 ((1 - τ) [y < μ] + τ [y > μ]) |y - μ| / σ
    let gap = y - mu;
    let (weight, sign) = if gap < 0.0 { (1.0 - tau, -1.0) } else { (tau, 1.0) };
    let by_gap = -2.0 * weight * sign / s;
    (d[0], d[1]) = (by_gap, -by_gap);
    d[2] = -1.0 / s + 2.0 * weight * gap.abs() / (s * s);
    d[3] = 1.0 / tau - 1.0 / (1.0 - tau) - 2.0 * gap / s;
    std::f64::consts::LN_2 - s.ln() + tau.ln() + (-tau).ln_1p() - 2.0 * weight * gap.abs() / s
}

pub(super) fn lognormal(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s) = (x[0], x[1], x[2]);
    if !positive(s) || !(y >= 0.0) {
        return f64::NAN;
    }
    if y == 0.0 {
        return NONE;
    }
    let value = normal(y.ln(), mu, s, d) - y.ln();
    d[0] = (d[0] - 1.0) / y;
    value
}

pub(super) fn exponential(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !positive(rate) || !(y >= 0.0) {
        return f64::NAN;
    }
    (d[0], d[1]) = (-rate, 1.0 / rate - y);
    rate.ln() - rate * y
}

pub(super) fn gamma_density(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b)) || y.is_nan() {
        return f64::NAN;
    }
    if y < 0.0 {
        return NONE;
    }
    d[0] = (a - 1.0) / y - b;
    d[1] = y.ln() + b.ln() - digamma(a);
    d[2] = a / b - y;
    a * b.ln() - ln_gamma(a) + x_ln_y(a - 1.0, y) - b * y
}

pub(super) fn inv_gamma(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b)) || y.is_nan() {
        return f64::NAN;
    }
    if y <= 0.0 {
        return NONE;
    }
    d[0] = (b / y - a - 1.0) / y;
    d[1] = b.ln() - y.ln() - digamma(a);
    d[2] = a / b - 1.0 / y;
    a * b.ln() - ln_gamma(a) - (a + 1.0) * y.ln() - b / y
}

pub(super) fn weibull(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s)) || y.is_nan() {
        return f64::NAN;
    }
    if y < 0.0 {
        return NONE;
    }
    let ln_ratio = y.ln() - s.ln();
    let power = (a * ln_ratio).exp();
    d[0] = (a - 1.0 - a * power) / y;
    d[1] = 1.0 / a + ln_ratio - power * ln_ratio;
    d[2] = a * (power - 1.0) / s;
    a.ln() + x_ln_y(a - 1.0, y) - a * s.ln() - power
}

pub(super) fn frechet(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, s) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(s) && y > 0.0) {
        return f64::NAN;
    }
    let ln_ratio = y.ln() - s.ln();
    let power = (-a * ln_ratio).exp();
    d[0] = (-a - 1.0 + a * power) / y;
    d[1] = 1.0 / a - ln_ratio + power * ln_ratio;
    d[2] = a * (1.0 - power) / s;
    a.ln() - (a + 1.0) * y.ln() + a * s.ln() - power
}

pub(super) fn rayleigh(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, s) = (x[0], x[1]);
    if !(s > 0.0 && y > 0.0) {
        return f64::NAN;
    }
    let z = y / s;
    (d[0], d[1]) = (1.0 / y - z / s, (z * z - 2.0) / s);
    y.ln() - 2.0 * s.ln() - 0.5 * z * z
}

pub(super) fn loglogistic(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    let ln_ratio = y.ln() - a.ln();
    let share = logistic(b * ln_ratio);
    d[0] = (b - 1.0 - 2.0 * b * share) / y;
    d[1] = b * (2.0 * share - 1.0) / a;
    d[2] = 1.0 / b + ln_ratio * (1.0 - 2.0 * share);
    b.ln() - a.ln() + x_ln_y(b - 1.0, y / a) - 2.0 * ln_1p_exp(b * ln_ratio)
}

pub(super) fn pareto(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, low, a) = (x[0], x[1], x[2]);
    if !(positive(low) && positive(a)) || y.is_nan() {
        return f64::NAN;
    }
    if y < low {
        return NONE;
    }
    (d[0], d[1], d[2]) = (-(a + 1.0) / y, a / low, 1.0 / a + low.ln() - y.ln());
    a.ln() + a * low.ln() - (a + 1.0) * y.ln()
}

pub(super) fn pareto_type_2(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, s, a) = (x[0], x[1], x[2], x[3]);
    if !(positive(s) && positive(a) && y >= mu) {
        return f64::NAN;
    }
    let z = (y - mu) / s;
    let by_z = -(a + 1.0) / (1.0 + z);
    (d[0], d[1], d[2], d[3]) = (by_z / s, -by_z / s, (-by_z * z - 1.0) / s, 1.0 / a - z.ln_1p());
    a.ln() - s.ln() - (a + 1.0) * z.ln_1p()
}

pub(super) fn beta(y: f64, a: f64, b: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(a) && positive(b) && (0.0..=1.0).contains(&y)) {
        return f64::NAN;
    }
    let both = digamma(a + b);
    d[0] = (a - 1.0) / y - (b - 1.0) / (1.0 - y);
    d[1] = y.ln() + both - digamma(a);
    d[2] = (-y).ln_1p() + both - digamma(b);
    x_ln_y(a - 1.0, y) + x_ln_y(b - 1.0, 1.0 - y) - ln_beta(a, b)
}

pub(super) fn von_mises(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, mu, kappa) = (x[0], x[1], x[2]);
    if !(kappa >= 0.0 && y.is_finite() && mu.is_finite()) {
        return f64::NAN;
    }
    let (sin, cos) = (mu - y).sin_cos();
    (d[0], d[1], d[2]) = (kappa * sin, -kappa * sin, cos - bessel_i1_over_i0(kappa));
    kappa * cos - LN_TAU - ln_bessel_i0(kappa)
}

pub(super) fn uniform(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, low, high) = (x[0], x[1], x[2]);
    if !(low < high) || y.is_nan() {
        return f64::NAN;
    }
    if y < low || y > high {
        return NONE;
    }
    (d[1], d[2]) = (1.0 / (high - low), -1.0 / (high - low));
    -(high - low).ln()
}

/// y, boundary separation, time before, bias, drift: the time until the upper boundary is met.
///
/// By the series for short times or for long ones, of which a few terms have all digits (Navarro and Fuss
/// 2009).
pub(super) fn wiener(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, tau, beta, delta) = (x[0], x[1], x[2], x[3], x[4]);
    if !(positive(a) && tau >= 0.0 && beta > 0.0 && beta < 1.0 && delta.is_finite() && y > tau) {
        return f64::NAN;
    }
    let (t, v, w) = (y - tau, -delta, 1.0 - beta);
    let s = t / (a * a);
    let pi = std::f64::consts::PI;
    // ln g(s, w), and its derivatives.
    let (ln_g, by_s, by_w) = if s < 0.4 {
        let (mut g, mut of_s, mut of_w) = (0.0, 0.0, 0.0);
        for k in -8..=8 {
            let z = w + 2.0 * f64::from(k);
            let e = (-0.5 * (z * z - w * w) / s).exp();
            g += z * e;
            of_s += 0.5 * z * z * z / (s * s) * e;
            of_w += (1.0 - z * z / s) * e;
        }
        (-0.5 * (LN_TAU + 3.0 * s.ln() + w * w / s) + g.ln(), -1.5 / s + of_s / g, of_w / g)
    } else {
        let (mut g, mut of_s, mut of_w) = (0.0, 0.0, 0.0);
        for k in 1..=8 {
            let k = f64::from(k);
            let e = k * (-0.5 * (k * k - 1.0) * pi * pi * s).exp();
            let (sin, cos) = (k * pi * w).sin_cos();
            g += e * sin;
            of_s -= 0.5 * k * k * pi * pi * e * sin;
            of_w += k * pi * e * cos;
        }
        (pi.ln() - 0.5 * pi * pi * s + g.ln(), of_s / g, of_w / g)
    };
    d[0] = by_s / (a * a) - 0.5 * v * v;
    d[1] = -2.0 / a - v * w - 2.0 * by_s * s / a;
    d[2] = -d[0];
    d[3] = v * a - by_w;
    d[4] = a * w + v * t;
    -2.0 * a.ln() - v * a * w - 0.5 * v * v * t + ln_g
}
