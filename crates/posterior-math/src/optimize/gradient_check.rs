//! Whether a gradient is that of its function.

use super::objective::Objective;

/// The component in which a gradient differs most from central differences.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GradientCheck {
    /// The index of the component.
    pub index: usize,
    /// What the objective says.
    pub analytic: f64,
    /// What central differences say.
    pub numeric: f64,
    /// |analytic - numeric| / max(1, |analytic|, |numeric|); NaN if one is.
    pub error: f64,
}

/// Compares the gradient at `x` with central differences of step h = ε^(1/3) max(1, |xᵢ|), by 2n + 1
/// evaluations.
///
/// A correct gradient of a function whose value and third derivatives are about 1 has an error of 10^-10;
/// above 10^-6 it is wrong.
///
/// ```
/// use posterior_math::optimize::gradient_check;
///
/// let wrong = |x: &[f64], gradient: &mut [f64]| {
///     gradient[0] = x[0].cos();
///     gradient[1] = 3.0 * x[1];
///     x[0].sin() + x[1] * x[1]
/// };
/// let check = gradient_check(wrong, &[0.3, 0.5]);
/// assert_eq!(check.index, 1);
/// assert!(check.error > 0.3);
/// ```
pub fn gradient_check(mut objective: impl Objective, x: &[f64]) -> GradientCheck {
    let mut gradient = vec![0.0; x.len()];
    objective.evaluate(x, &mut gradient);
    let mut point = x.to_vec();
    let mut ignored = vec![0.0; x.len()];
    let mut worst = GradientCheck { index: 0, analytic: 0.0, numeric: 0.0, error: 0.0 };
    for (index, &analytic) in gradient.iter().enumerate() {
        let h = f64::EPSILON.cbrt() * x[index].abs().max(1.0);
        let (above, below) = (x[index] + h, x[index] - h);
        point[index] = above;
        let high = objective.evaluate(&point, &mut ignored);
        point[index] = below;
        let low = objective.evaluate(&point, &mut ignored);
        point[index] = x[index];
        let numeric = (high - low) / (above - below);
        let error = (analytic - numeric).abs() / analytic.abs().max(numeric.abs()).max(1.0);
        if error.is_nan() || error > worst.error {
            worst = GradientCheck { index, analytic, numeric, error };
        }
        if error.is_nan() {
            break;
        }
    }
    worst
}
