//! Evaluation of polynomials.

/// c₀ + c₁ x + c₂ x² + … by Horner's rule.
pub(super) fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

/// As [`polynomial`], for an even number of coefficients: the even and the odd powers apart, because they do
/// not wait for each other.
pub(super) fn polynomial_in_halves<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let square = x * x;
    let (pairs, _) = coefficients.as_chunks::<2>();
    let (even, odd) = pairs
        .iter()
        .rev()
        .fold((0.0, 0.0), |(even, odd), &[first, second]| (even * square + first, odd * square + second));
    even + x * odd
}

/// The value P(v) and the divided difference (P(u) - P(v)) / (u - v), which stays exact where u and v are
/// close.
pub(super) fn divided_difference(coefficients: &[f64], u: f64, v: f64) -> (f64, f64) {
    coefficients.iter().rev().fold((0.0, 0.0), |(value, difference), &coefficient| {
        (value * v + coefficient, difference * u + value)
    })
}
