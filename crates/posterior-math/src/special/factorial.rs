//! Logarithms of factorials and of binomial and multinomial coefficients.

use super::beta::ln_beta;
use super::gamma::ln_gamma;

/// Below this the binomial coefficient is a product of so few factors that it does not overflow.
const PRODUCT_BELOW: u64 = 10;

/// ln n!.
///
/// Relative error below 1e-15.
///
/// ```
/// assert!((posterior_math::special::ln_factorial(5) - 120_f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_factorial(n: u64) -> f64 {
    ln_gamma(n as f64 + 1.0)
}

/// ln (n choose k), -∞ for k > n.
///
/// Relative error below 1e-15: an exact product for small k, the beta function otherwise.
///
/// ```
/// assert!((posterior_math::special::ln_binomial(5, 2) - 10_f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_binomial(n: u64, k: u64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    let fewer = k.min(n - k);
    let more = (n - fewer) as f64;
    if fewer < PRODUCT_BELOW {
        // Each partial product is itself a binomial coefficient, so the divisions are exact while it fits.
        return (1..=fewer).fold(1.0, |product, i| product * (more + i as f64) / i as f64).ln();
    }
    -(n as f64).ln_1p() - ln_beta(more + 1.0, fewer as f64 + 1.0)
}

/// ln ((Σ kᵢ)! / Π kᵢ!), as a sum of positive terms: one binomial coefficient per cell.
///
/// Zero for no counts, NaN if their sum does not fit in 64 bits. Relative error below 1e-15.
///
/// ```
/// assert!((posterior_math::special::ln_multinomial(&[2, 0, 1]) - 3_f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_multinomial(counts: &[u64]) -> f64 {
    let mut total = 0_u64;
    let mut sum = 0.0;
    for &count in counts {
        let Some(larger) = total.checked_add(count) else { return f64::NAN };
        total = larger;
        sum += ln_binomial(total, count);
    }
    sum
}
