//! The lower tail of the standard t law, its logarithm and its inverse: a beta law in disguise.

use std::f64::consts::LN_2;

use posterior_math::special::{
    beta_pq, inverse_beta_pq, ln_beta, ln_beta_p, ln_beta_q, ln_normal_cdf, normal_cdf, normal_quantile,
};

/// From here on the law is normal up to a transformation of the point.
const NORMAL_FROM: f64 = 1e16;

/// From this |t| / √ν on the first term of the expansion of the tail is all of it.
const POWER_FROM: f64 = 1e20;

/// Below this the logarithm of a tail is not taken from the tail.
const SMALL: f64 = 1e-290;

/// ν / (ν + t²) and t² / (ν + t²), from t / √ν.
fn shares(ratio: f64) -> (f64, f64) {
    let square = ratio * ratio;
    if square < 1.0 {
        ((1.0 + square).recip(), square / (1.0 + square))
    } else {
        let inverse = square.recip();
        (inverse / (1.0 + inverse), (1.0 + inverse).recip())
    }
}

/// sign(t) √(ν ln(1 + t²/ν)).
fn normal_point(freedom: f64, t: f64) -> f64 {
    let ratio = t / freedom.sqrt();
    let ln_stretch = if ratio.abs() < 1e150 { (ratio * ratio).ln_1p() } else { 2.0 * ratio.abs().ln() };
    (freedom.sqrt() * ln_stretch.sqrt()).copysign(t)
}

/// ln P(T ≤ -t) far out: ln(½ (√ν/t)^ν / (ν/2 B(ν/2, ½))).
fn ln_power_tail(freedom: f64, ratio: f64) -> f64 {
    -freedom * ratio.abs().ln() - ln_power_factor(freedom) - LN_2
}

/// ln(ν/2 B(ν/2, ½)).
fn ln_power_factor(freedom: f64) -> f64 {
    let half = 0.5 * freedom;
    // ν/2 B(ν/2, ½) tends to 1 for small ν.
    if half < 1e-17 { 0.0 } else { half.ln() + ln_beta(half, 0.5) }
}

/// P(T ≤ t).
pub(super) fn below(freedom: f64, t: f64) -> f64 {
    if t.is_nan() {
        return t;
    }
    if freedom >= NORMAL_FROM {
        return normal_cdf(normal_point(freedom, t));
    }
    let ratio = t / freedom.sqrt();
    if ratio.abs() > POWER_FROM {
        let tail = ln_power_tail(freedom, ratio).exp();
        return if t < 0.0 { tail } else { 1.0 - tail };
    }
    let (near, far) = shares(ratio);
    let (both, inner) = beta_pq(0.5 * freedom, 0.5, near, far);
    if t < 0.0 { 0.5 * both } else { 0.5 + 0.5 * inner }
}

/// ln P(T ≤ t).
pub(super) fn ln_below(freedom: f64, t: f64) -> f64 {
    if t > 0.0 {
        return (-below(freedom, -t)).ln_1p();
    }
    if t.is_nan() {
        return t;
    }
    if freedom >= NORMAL_FROM {
        return ln_normal_cdf(normal_point(freedom, t));
    }
    let ratio = t / freedom.sqrt();
    if ratio.abs() > POWER_FROM {
        return ln_power_tail(freedom, ratio);
    }
    let (near, far) = shares(ratio);
    let (both, _) = beta_pq(0.5 * freedom, 0.5, near, far);
    let ln_both = if both > SMALL {
        both.ln()
    } else if near < far {
        ln_beta_p(0.5 * freedom, 0.5, near)
    } else {
        ln_beta_q(0.5, 0.5 * freedom, far)
    };
    ln_both - LN_2
}

/// The t with P(T ≤ t) = p.
pub(super) fn quantile(freedom: f64, p: f64) -> f64 {
    if p > 0.5 { -lower_quantile(freedom, 1.0 - p) } else { lower_quantile(freedom, p) }
}

/// The same for p ≤ ½.
fn lower_quantile(freedom: f64, p: f64) -> f64 {
    if !(p > 0.0) {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if freedom >= NORMAL_FROM {
        let square = normal_quantile(p).powi(2);
        return -(freedom.sqrt() * (square / freedom).exp_m1().sqrt());
    }
    let (near, far) = inverse_beta_pq(0.5 * freedom, 0.5, 2.0 * p, 1.0 - 2.0 * p);
    if near < POWER_FROM.powi(-2) {
        // The first term again, where ν / (ν + t²) may be too small for f64 and t is not too large.
        let ln_ratio = -((p + p).ln() + ln_power_factor(freedom)) / freedom;
        return -(freedom.sqrt().ln() + ln_ratio).exp();
    }
    -(freedom.sqrt() * (far / near).sqrt())
}
