//! Evaluation of polynomials.

/// c₀ + c₁ x + c₂ x² + … by Horner's rule.
pub(super) fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}
