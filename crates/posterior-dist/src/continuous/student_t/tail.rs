//! The lower tail of the standard t distribution, its logarithm and its inverse: a beta distribution in
//! disguise.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, LN_2, SQRT_2};

use posterior_math::special::{
    beta_pq, erf, erf_inv, inverse_beta_pq, ln_beta, ln_beta_p, ln_beta_q, ln_normal_cdf, normal_cdf,
    normal_quantile,
};

/// Of such a quotient of a point and the root of the degrees of freedom the square does not matter.
const NEGLIGIBLE: f64 = 1e-9;

/// From here on the distribution is normal up to a transformation of the point.
const NORMAL_FROM: f64 = 1e16;

/// From this |t| / √ν on the first term of the expansion of the tail is all of it.
const POWER_FROM: f64 = 1e20;

/// Below this the logarithm of a tail is not taken from the tail.
const SMALL: f64 = 1e-290;

/// Below this the density at a quantile may be too small for f64.
const DENSE_FROM: f64 = 1e-200;

/// Below this |t| / √ν the density is that at 0.
pub(super) const LINEAR_BELOW: f64 = 1e-100;

/// Degrees of freedom for which Hill's expansion has six digits.
const HILL_DEGREES_OF_FREEDOM: std::ops::Range<f64> = 3.0..1e6;

/// Nearer to the median the inverse of the beta distribution keeps more digits.
const HILL_UP_TO: f64 = 0.45;

/// The largest step of third order, relative to t and to the curvature of the tail, after which all digits
/// are right.
const LAST_STEP: f64 = 2e-5;

/// ν / (ν + t²) and t² / (ν + t²), from t / √ν.
fn proportions(ratio: f64) -> (f64, f64) {
    let square = ratio * ratio;
    if square < 1.0 {
        ((1.0 + square).recip(), square / (1.0 + square))
    } else {
        let inverse = square.recip();
        (inverse / (1.0 + inverse), (1.0 + inverse).recip())
    }
}

/// sign(t) √(ν ln(1 + t²/ν)).
fn normal_point(degrees_of_freedom: f64, t: f64) -> f64 {
    let ratio = t / degrees_of_freedom.sqrt();
    if ratio.abs() < NEGLIGIBLE {
        return t;
    }
    let ln_stretch = if ratio.abs() < 1e150 { (ratio * ratio).ln_1p() } else { 2.0 * ratio.abs().ln() };
    (degrees_of_freedom.sqrt() * ln_stretch.sqrt()).copysign(t)
}

/// ln P(T ≤ -t) far out: ln(½ (√ν/t)^ν / (ν/2 B(ν/2, ½))), from ln(t/√ν).
pub(super) fn ln_power_tail(degrees_of_freedom: f64, ln_ratio: f64) -> f64 {
    -degrees_of_freedom * ln_ratio - ln_power_factor(degrees_of_freedom) - LN_2
}

/// ln(|t|/√ν), also where the quotient is beyond f64.
fn ln_ratio(degrees_of_freedom: f64, t: f64) -> f64 {
    let ratio = (t / degrees_of_freedom.sqrt()).abs();
    if ratio.is_finite() { ratio.ln() } else { t.abs().ln() - 0.5 * degrees_of_freedom.ln() }
}

/// ln t of the t > 0 with P(T ≤ -t) = p, far out.
pub(super) fn ln_power_quantile(degrees_of_freedom: f64, p: f64) -> f64 {
    0.5 * degrees_of_freedom.ln() - ((p + p).ln() + ln_power_factor(degrees_of_freedom)) / degrees_of_freedom
}

/// ln(ν/2 B(ν/2, ½)).
fn ln_power_factor(degrees_of_freedom: f64) -> f64 {
    let half = 0.5 * degrees_of_freedom;
    // ν/2 B(ν/2, ½) tends to 1 for small ν.
    if half < 1e-17 { 0.0 } else { half.ln() + ln_beta(half, 0.5) }
}

/// P(T ≤ t).
pub(super) fn below(degrees_of_freedom: f64, t: f64) -> f64 {
    if t.is_nan() {
        return t;
    }
    if degrees_of_freedom >= NORMAL_FROM {
        return normal_cdf(normal_point(degrees_of_freedom, t));
    }
    let ratio = t / degrees_of_freedom.sqrt();
    if ratio.abs() > POWER_FROM {
        let tail = ln_power_tail(degrees_of_freedom, ln_ratio(degrees_of_freedom, t)).exp();
        return if t < 0.0 { tail } else { 1.0 - tail };
    }
    let (near, far) = proportions(ratio);
    let (both, inner) = beta_pq(0.5 * degrees_of_freedom, 0.5, near, far);
    if t < 0.0 { 0.5 * both } else { 0.5 + 0.5 * inner }
}

/// P(|T| ≤ t) for t ≥ 0 beyond [`LINEAR_BELOW`].
pub(super) fn within(degrees_of_freedom: f64, t: f64) -> f64 {
    if degrees_of_freedom >= NORMAL_FROM {
        return erf(normal_point(degrees_of_freedom, t) * FRAC_1_SQRT_2);
    }
    let ratio = t / degrees_of_freedom.sqrt();
    if ratio > POWER_FROM {
        return -(LN_2 + ln_power_tail(degrees_of_freedom, ln_ratio(degrees_of_freedom, t)))
            .min(0.0)
            .exp_m1();
    }
    let (near, far) = proportions(ratio);
    beta_pq(0.5 * degrees_of_freedom, 0.5, near, far).1
}

/// The t with P(|T| ≤ t) = p ≤ ½; `None` where it is so far out that the other tail says more.
pub(super) fn within_quantile(degrees_of_freedom: f64, p: f64) -> Option<f64> {
    if degrees_of_freedom >= NORMAL_FROM {
        return Some(of_normal(degrees_of_freedom, SQRT_2 * erf_inv(p)));
    }
    let (near, far) = inverse_beta_pq(0.5 * degrees_of_freedom, 0.5, 1.0 - p, p);
    (near >= POWER_FROM.powi(-2)).then(|| degrees_of_freedom.sqrt() * (far / near).sqrt())
}

/// The t of which this is the [`normal_point`].
fn of_normal(degrees_of_freedom: f64, z: f64) -> f64 {
    let ratio = z / degrees_of_freedom.sqrt();
    if ratio.abs() < NEGLIGIBLE {
        z
    } else {
        (degrees_of_freedom.sqrt() * (ratio * ratio).exp_m1().sqrt()).copysign(z)
    }
}

/// ln P(T ≤ t).
pub(super) fn ln_below(degrees_of_freedom: f64, t: f64) -> f64 {
    if t > 0.0 {
        return (-below(degrees_of_freedom, -t)).ln_1p();
    }
    if t.is_nan() {
        return t;
    }
    if degrees_of_freedom >= NORMAL_FROM {
        return ln_normal_cdf(normal_point(degrees_of_freedom, t));
    }
    let ratio = t / degrees_of_freedom.sqrt();
    if ratio.abs() > POWER_FROM {
        return ln_power_tail(degrees_of_freedom, ln_ratio(degrees_of_freedom, t));
    }
    let (near, far) = proportions(ratio);
    let (both, _) = beta_pq(0.5 * degrees_of_freedom, 0.5, near, far);
    let ln_both = if both > SMALL {
        both.ln()
    } else if near < far {
        ln_beta_p(0.5 * degrees_of_freedom, 0.5, near)
    } else {
        ln_beta_q(0.5, 0.5 * degrees_of_freedom, far)
    };
    ln_both - LN_2
}

/// The t with P(T ≤ t) = p.
pub(super) fn quantile(degrees_of_freedom: f64, p: f64) -> f64 {
    if p > 0.5 { -lower_quantile(degrees_of_freedom, 1.0 - p) } else { lower_quantile(degrees_of_freedom, p) }
}

/// The t > 0 that |T| exceeds with probability p, to about six digits.
///
/// # References
/// G. W. Hill, Algorithm 396: Student's t-quantiles, CACM 13 (1970).
fn hill(degrees_of_freedom: f64, p: f64) -> f64 {
    let a = (degrees_of_freedom - 0.5).recip();
    let b = 48.0 / (a * a);
    let c = ((20700.0 * a / b - 98.0) * a - 16.0) * a + 96.36;
    let d = ((94.5 / (b + c) - 3.0) / b + 1.0) * (a * FRAC_PI_2).sqrt() * degrees_of_freedom;
    let y = (d * p).powf(2.0 / degrees_of_freedom);
    if y > 0.05 + a {
        let x = normal_quantile(0.5 * p);
        let y = x * x;
        let c = if degrees_of_freedom < 5.0 { c + 0.3 * (degrees_of_freedom - 4.5) * (x + 0.6) } else { c };
        let c = (((0.05 * d * x - 5.0) * x - 7.0) * x - 2.0) * x + b + c;
        let y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * x;
        (degrees_of_freedom * (a * y * y).exp_m1()).sqrt()
    } else {
        let f = degrees_of_freedom;
        let y = ((1.0 / (((f + 6.0) / (f * y) - 0.089 * d - 0.822) * (f + 2.0) * 3.0) + 0.5 / (f + 4.0)) * y
            - 1.0)
            * (f + 1.0)
            / (f + 2.0)
            + 1.0 / y;
        (f * y).sqrt()
    }
}

/// The t > 0 with P(T ≤ -t) = p from a start, by steps of third order; `None` if three do not suffice.
fn refined(degrees_of_freedom: f64, p: f64, start: f64) -> Option<f64> {
    let ln_peak = super::ln_peak(degrees_of_freedom);
    let mut t = start;
    for _ in 0..3 {
        let ln_density = ln_peak - 0.5 * (degrees_of_freedom + 1.0) * (t * t / degrees_of_freedom).ln_1p();
        let newton = (below(degrees_of_freedom, -t) - p) / ln_density.exp();
        let curvature = (degrees_of_freedom + 1.0) * t / (t * t + degrees_of_freedom);
        let step = newton * (1.0 + 0.5 * newton * curvature);
        t += step;
        if step.abs() * curvature.max(t.recip()) <= LAST_STEP {
            return Some(t);
        }
    }
    None
}

/// The same for p ≤ ½.
fn lower_quantile(degrees_of_freedom: f64, p: f64) -> f64 {
    if !(p > 0.0) {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if degrees_of_freedom >= NORMAL_FROM {
        return of_normal(degrees_of_freedom, normal_quantile(p));
    }
    let hill_holds =
        HILL_DEGREES_OF_FREEDOM.contains(&degrees_of_freedom) && (DENSE_FROM..HILL_UP_TO).contains(&p);
    if hill_holds && let Some(t) = refined(degrees_of_freedom, p, hill(degrees_of_freedom, p + p)) {
        return -t;
    }
    let (near, far) = inverse_beta_pq(0.5 * degrees_of_freedom, 0.5, 2.0 * p, 1.0 - 2.0 * p);
    if near < POWER_FROM.powi(-2) {
        // The first term again, where ν / (ν + t²) may be too small for f64 and t is not too large.
        return -ln_power_quantile(degrees_of_freedom, p).exp();
    }
    -(degrees_of_freedom.sqrt() * (far / near).sqrt())
}
