//! Entropies and divergences of distributions that are normalised by gamma functions, without the
//! cancellation of large terms.
//!
//! The divergence between two members of such a family is the Bregman divergence of ln Γ, ln Γ(y) - ln Γ(x) -
//! (y - x) ψ(x), summed with signs over the parameters. By Stirling's formula it is the deviance D(y; x) = y
//! ln(y / x) + x - y, which is large and combines with other deviances, and the small rest that is here.

use posterior_math::special::{poisson_deviance, stirling_remainder, stirling_remainder_derivative};

/// ln Γ(y) - ln Γ(x) - (y - x) ψ(x) - D(y; x) ≥ 0, zero for y = x.
pub(crate) fn beyond_deviance(y: f64, x: f64) -> f64 {
    if y == x {
        return 0.0;
    }
    let tangent = stirling_remainder(x) + (y - x) * stirling_remainder_derivative(x);
    0.5 * (poisson_deviance(x, y) / x) + (stirling_remainder(y) - tangent)
}
