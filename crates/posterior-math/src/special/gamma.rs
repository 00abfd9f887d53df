//! The gamma function Γ(x) = ∫₀^∞ t^(x-1) e^(-t) dt, its logarithm, and its multivariate relative.

use std::f64::consts::PI;

use super::constants::HALF_LN_TAU;
use super::sin_pi::sin_pi;
use super::stirling::{STIRLING_FROM, stirling_remainder};

/// ln |Γ(x)|.
///
/// +∞ at the poles 0, -1, -2, … and at ±∞; NaN for NaN. [`ln_gamma_sign`] has the sign of Γ(x) too.
///
/// # Numerics
/// Relative error below 4e-16 for x > 0: Stirling's series from 10 on, `special` below, also next to the roots x = 1 and
/// x = 2. Negative x go through the
/// reflection Γ(x) Γ(-x) = -π / (x sin πx) here, because `special` loses every digit next to the roots on that side;
/// the error there is below 4e-16 of |x ψ(x)|, that is, of what the rounding of x allows.
///
/// ```
/// use posterior_math::special::ln_gamma;
///
/// assert!((ln_gamma(0.5) - 0.5723649429247001).abs() < 1e-15); // ½ ln π
/// assert_eq!(ln_gamma(2.0), 0.0);
/// assert_eq!(ln_gamma(-3.0), f64::INFINITY);
/// ```
pub fn ln_gamma(x: f64) -> f64 {
    if x >= STIRLING_FROM {
        (x - 0.5) * (x.ln() - 1.0) + (HALF_LN_TAU - 0.5) + stirling_remainder(x)
    } else if x > 0.0 {
        special::Gamma::ln_gamma(x).0
    } else if x.is_nan() {
        x
    } else {
        ln_gamma_reflected(-x)
    }
}

/// ln |Γ(x)| and the sign of Γ(x), 1 or -1; the sign is NaN at the negative integers and at -∞, where Γ has none.
///
/// ```
/// use posterior_math::special::ln_gamma_sign;
///
/// let (ln_abs, sign) = ln_gamma_sign(-0.5); // Γ(-½) = -2 √π
/// assert!((ln_abs - 1.2655121234846454).abs() < 1e-15);
/// assert_eq!(sign, -1.0);
/// ```
pub fn ln_gamma_sign(x: f64) -> (f64, f64) {
    let sign = if x.is_nan() || x == f64::NEG_INFINITY || (x < 0.0 && x == x.floor()) {
        f64::NAN
    } else if x > 0.0 || (x == 0.0 && x.is_sign_positive()) || (x < 0.0 && x.floor() % 2.0 == 0.0) {
        1.0
    } else {
        -1.0
    };
    (ln_gamma(x), sign)
}

/// Γ(x).
///
/// ±∞ at ±0, NaN at the negative integers and at -∞, +∞ beyond 171.62, NaN for NaN.
///
/// Relative error below 1e-15 (`special`); not through the logarithm, which would lose three digits at 170.
///
/// ```
/// use posterior_math::special::gamma;
///
/// assert_eq!(gamma(5.0), 24.0);
/// assert!((gamma(-1.5) / 2.363271801207355 - 1.0).abs() < 2e-15); // 4 √π / 3
/// ```
pub fn gamma(x: f64) -> f64 {
    special::Gamma::gamma(x)
}

/// ln Γ_p(a) = p(p-1)/4 ln π + Σ_{j=1..p} ln Γ(a + (1 - j)/2), the multivariate gamma function of the Wishart laws.
///
/// It exists for a > (p - 1)/2: NaN below and for NaN, +∞ at the end of the domain; zero for p = 0.
///
/// ```
/// let value = posterior_math::special::multivariate_ln_gamma(3, 2.5);
/// assert!((value - 1.8809954616117743).abs() < 1e-15);
/// ```
pub fn multivariate_ln_gamma(p: usize, a: f64) -> f64 {
    let dimension = p as f64;
    if p == 0 {
        return if a.is_nan() { f64::NAN } else { 0.0 };
    }
    if !(a >= (dimension - 1.0) / 2.0) {
        return f64::NAN;
    }
    let sum: f64 = (0..p).map(|j| ln_gamma(a - 0.5 * j as f64)).sum();
    dimension * (dimension - 1.0) / 4.0 * PI.ln() + sum
}

/// ln |Γ(-y)| for y ≥ 0.
fn ln_gamma_reflected(y: f64) -> f64 {
    if y == y.floor() {
        f64::INFINITY
    } else if y < 1e-17 {
        -y.ln()
    } else {
        (PI / (y * sin_pi(y).abs())).ln() - ln_gamma(y)
    }
}
