//! Evaluation of polynomials.

/// c₀ + c₁ x + c₂ x² + … by Horner's rule.
pub(super) fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

/// The value P(v) and the divided difference (P(u) - P(v)) / (u - v), which stays exact where u and v are close.
pub(super) fn divided_difference(coefficients: &[f64], u: f64, v: f64) -> (f64, f64) {
    coefficients.iter().rev().fold((0.0, 0.0), |(value, difference), &coefficient| {
        (value * v + coefficient, difference * u + value)
    })
}
