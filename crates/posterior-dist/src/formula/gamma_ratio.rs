//! Quotients of gamma functions, without cancellation.

use posterior_math::autodiff::Real;

/// From here on Stirling's series has all digits with [`TERMS`].
const FAR: f64 = 16.0;

/// B₂ₖ / (2k (2k - 1)): ln Γ(a) = (a - ½) ln a - a + ½ ln 2π + Σ termₖ / a²ᵏ⁻¹ (DLMF 5.11.1).
const TERMS: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];

/// ln Γ(a + x) - ln Γ(a) for a > 0 and x ≥ 0; for large a the two large terms are never subtracted.
pub(super) fn ln_gamma_ratio<R: Real>(a: R, x: R) -> R {
    if a.value() < FAR {
        return (a + x).ln_gamma() - a.ln_gamma();
    }
    (x / a).ln_1p() * (a - 0.5) + (a + x).ln() * x - x + remainder(a + x) - remainder(a)
}

/// ln B(a, b) for a, b > 0.
pub(super) fn ln_beta<R: Real>(a: R, b: R) -> R {
    let (small, large) = if a.value() < b.value() { (a, b) } else { (b, a) };
    small.ln_gamma() - ln_gamma_ratio(large, small)
}

/// What Stirling's formula lacks.
fn remainder<R: Real>(a: R) -> R {
    let inverse = a.recip();
    let square = inverse * inverse;
    let sum = TERMS.iter().rev().fold(R::from(0.0), |sum, &term| sum * square + term);
    sum * inverse
}
