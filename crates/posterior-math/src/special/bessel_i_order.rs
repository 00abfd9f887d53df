//! The modified Bessel function of the first kind of any order, over the leading term of its expansion.

use std::f64::consts::TAU;

use super::bessel_k::debye_sum;
use super::gamma::ln_gamma;

/// From this √(ν² + x²) on Debye's expansion has full precision.
const DEBYE_FROM: f64 = 50.0;

/// I_ν(x) over e^r (x/(ν + r))^ν / √(2πr) with r = √(ν² + x²), the leading term of Debye's expansion, for ν ≥
/// 0 and x > 0. It is next to 1 unless r is small; NaN elsewhere and for NaN.
///
/// # Numerics
/// Relative error below 4e-15 (Debye's expansion from r = 50, the power series below, where its terms are
/// combined by logarithms).
///
/// # References
/// F. W. J. Olver et al., NIST Handbook of Mathematical Functions, 10.25.2 and 10.41.3.
///
/// ```
/// use posterior_math::special::bessel_i_remainder;
///
/// // I_½(x) = √(2/(πx)) sinh x.
/// let (nu, x) = (0.5_f64, 3.0_f64);
/// let r = nu.hypot(x);
/// let leading = (r + nu * (x / (nu + r)).ln()).exp() / (std::f64::consts::TAU * r).sqrt();
/// let value = (2.0 / (std::f64::consts::PI * x)).sqrt() * x.sinh();
/// assert!((bessel_i_remainder(nu, x) - value / leading).abs() < 1e-14);
/// ```
pub fn bessel_i_remainder(nu: f64, x: f64) -> f64 {
    if !(nu >= 0.0 && x > 0.0) {
        return f64::NAN;
    }
    let r = nu.hypot(x);
    if r >= DEBYE_FROM {
        return 1.0 + debye_sum(nu, r);
    }
    let quarter = 0.25 * x * x;
    let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= quarter / (k * (nu + k));
        sum += term;
        k += 1.0;
    }
    // (x/2)^ν / Γ(ν + 1) over the leading term.
    let ln_rest = nu * (0.5 * (nu + r)).ln() - ln_gamma(nu + 1.0) - r;
    sum * ln_rest.exp() * (TAU * r).sqrt()
}
