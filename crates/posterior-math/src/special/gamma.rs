//! The gamma function Γ(x) = ∫₀^∞ t^(x-1) e^(-t) dt, its logarithm, and its multivariate relative.

use std::f64::consts::PI;

use super::constants::HALF_LN_TAU;
use super::polynomial::polynomial;
use super::sin_pi::sin_pi;
use super::stirling::{STIRLING_FROM, stirling_remainder};

/// ln |Γ(x)|.
///
/// +∞ at the poles 0, -1, -2, … and at ±∞; NaN for NaN. [`ln_gamma_sign`] has the sign of Γ(x) too.
///
/// # Numerics
/// Relative error below 4e-16 for x > 0: Stirling's series from 10 on, `special` below, also next to the
/// roots x = 1 and x = 2. Negative x go through the reflection Γ(x) Γ(-x) = -π / (x sin πx) here, because
/// `special` loses every digit next to the roots on that side; the error there is below 4e-16 of |x ψ(x)|,
/// that is, of what the rounding of x allows.
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

/// The Taylor coefficients of ln Γ(1 + s) / s: -γ, then (-1)^k ζ(k) / k for k = 2, 3, … (mpmath 1.4 at 40
/// digits).
pub(super) const LN_GAMMA_1P: [f64; 25] = [
    -0.577_215_664_901_532_860_6,
    0.8224670334241132182362,
    -0.4006856343865314284666,
    0.270580808427784547879,
    -0.2073855510286739852663,
    0.1695571769974081899524,
    -0.14404989676884611812,
    0.1255096695247430424223,
    -0.1113342658695646904909,
    0.1000994575127818085337,
    -0.09095401714582904223261,
    0.08335384054610900402489,
    -0.07693251641135219147283,
    0.07143294629536133605923,
    -0.0666687058824204680329,
    0.06250095514121304074198,
    -0.05882397865868458233896,
    0.05555576762740361110221,
    -0.05263167937961666073363,
    0.05000004769810169363981,
    -0.04761907033014222799078,
    0.04545455629320466944241,
    -0.04347826605304025936135,
    0.04166666915034121046914,
    -0.04000000119214014058609,
];

/// ln Γ(1 + s) for s > -1, with all digits also where s is small.
///
/// Relative error below 1e-15 for |s| up to a quarter, beyond it that of [`ln_gamma`] at 1 + s.
///
/// ```
/// let value = posterior_math::special::ln_gamma_1p(1e-200); // -γ s
/// assert!((value / -0.5772156649015329e-200 - 1.0).abs() < 1e-15);
/// ```
pub fn ln_gamma_1p(s: f64) -> f64 {
    if s.abs() > 0.25 { ln_gamma(1.0 + s) } else { s * polynomial(&LN_GAMMA_1P, s) }
}

/// ln |Γ(x)| and the sign of Γ(x), 1 or -1; the sign is NaN at the negative integers and at -∞, where Γ has
/// none.
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

/// ln Γ_p(a) = p(p-1)/4 ln π + Σ_{j=1..p} ln Γ(a + (1 - j)/2), the multivariate gamma function of the Wishart
/// distributions.
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
