//! The beta function B(a, b) = Γ(a) Γ(b) / Γ(a + b) and its multivariate form, the normaliser of the
//! Dirichlet.

use super::constants::HALF_LN_TAU;
use super::gamma::ln_gamma;
use super::stirling::{STIRLING_FROM, stirling_remainder, stirling_remainder_difference};

/// ln B(a, b) for a, b ≥ 0.
///
/// +∞ if one of them is zero, -∞ if one is infinite; NaN if both of these hold, for negative arguments and
/// for NaN.
///
/// # Numerics
/// Relative error below 4e-15 away from the curve B(a, b) = 1. Three log gammas would lose log₁₀(b ln b)
/// digits where an argument is large: there the large terms are combined by hand and only the remainders of
/// Stirling's formula are added (Didonato and Morris).
///
/// # References
/// A. R. Didonato, A. H. Morris, Algorithm 708, ACM TOMS 18 (1992), `betaln`, `bcorr`, `algdiv`.
///
/// ```
/// let value = posterior_math::special::ln_beta(7.0, 5.0); // 1 / 2310
/// assert!((value + 2310_f64.ln()).abs() < 1e-14);
/// ```
pub fn ln_beta(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a < 0.0 || b < 0.0 {
        return f64::NAN;
    }
    let (small, large) = if a <= b { (a, b) } else { (b, a) };
    if small == 0.0 {
        return if large == f64::INFINITY { f64::NAN } else { f64::INFINITY };
    }
    if large == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    if small >= STIRLING_FROM {
        let ratio = small / large;
        let remainder = stirling_remainder(small) - stirling_remainder_difference(large, small);
        let ln_proportion = (ratio / (1.0 + ratio)).ln();
        (small - 0.5) * ln_proportion - large * ratio.ln_1p() - 0.5 * large.ln() + HALF_LN_TAU + remainder
    } else if large >= STIRLING_FROM {
        ln_gamma(small) - ln_gamma_increment(large, small)
    } else {
        ln_gamma(small) + (ln_gamma(large) - ln_gamma(small + large))
    }
}

/// ln Γ(a + d) - ln Γ(a) for a ≥ 10 and d ≥ 0, without the cancellation of the two.
pub(super) fn ln_gamma_increment(a: f64, d: f64) -> f64 {
    let ratio = d / a;
    // Of a ratio that f64 has not all digits of, the square does not matter.
    let power =
        if ratio < f64::MIN_POSITIVE { d * (1.0 + (d - 0.5) / a) } else { (a + (d - 0.5)) * ratio.ln_1p() };
    power + d * (a.ln() - 1.0) + stirling_remainder_difference(a, d)
}

/// ln B(α) = Σ ln Γ(α_k) - ln Γ(Σ α_k), the logarithm of the multivariate beta function.
///
/// As a chain of [`ln_beta`]: B(α) = B(α₁, α₂) B(α₁ + α₂, α₃) …, so that large α lose nothing. Zero for no
/// numbers and for one; the special values are those of [`ln_beta`], and NaN for one number that is negative
/// or NaN.
///
/// ```
/// let value = posterior_math::special::ln_multivariate_beta(&[1.0, 2.0, 3.0]); // 1 / 60
/// assert!((value + 60_f64.ln()).abs() < 1e-14);
/// ```
pub fn ln_multivariate_beta(alpha: &[f64]) -> f64 {
    let Some((&first, rest)) = alpha.split_first() else { return 0.0 };
    let mut total = first;
    let mut ln_product = if first >= 0.0 { 0.0 } else { f64::NAN };
    for &next in rest {
        ln_product += ln_beta(total, next);
        total += next;
    }
    ln_product
}
