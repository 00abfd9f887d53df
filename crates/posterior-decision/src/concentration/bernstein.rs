//! Bernstein's inequality: of variables in [0, 1] of small variance.

use posterior_math::check::{self, ParamError};

use super::{observations, whole};

/// The largest variance of a variable in [0, 1].
const LARGEST: f64 = 0.25;

fn small_variance(function: &'static str, variance: f64) -> Result<f64, ParamError> {
    check::require(
        (0.0..=LARGEST).contains(&variance),
        function,
        "variance",
        variance,
        "in [0, 1/4], as that of every variable in [0, 1]",
    )
}

/// P(Sₙ - nμ ≥ a) ≤ exp(-a²/(2(nσ² + a/3))); `variance` is σ² of each variable, or a bound of it.
///
/// # Errors
/// If there are no observations, σ² is not in [0, 1/4], or a is negative or not finite.
pub fn bernstein_tail(count: u64, variance: f64, excess: f64) -> Result<f64, ParamError> {
    let n = observations(count)?;
    small_variance("bernstein_tail", variance)?;
    let a = check::non_negative("bernstein_tail", "excess", excess)?;
    if a == 0.0 {
        return Ok(1.0);
    }
    Ok((-a / (2.0 * (n * variance / a + 1.0 / 3.0))).exp())
}

/// The ε with P(mean - μ ≥ ε) ≤ δ: the root of nε² = 2 ln(1/δ) (σ² + ε/3).
///
/// # Errors
/// If there are no observations, σ² is not in [0, 1/4], or δ is not strictly between 0 and 1.
pub fn bernstein_radius(count: u64, variance: f64, delta: f64) -> Result<f64, ParamError> {
    let n = observations(count)?;
    small_variance("bernstein_radius", variance)?;
    check::open_probability("bernstein_radius", "delta", delta)?;
    let budget = -delta.ln() / n;
    let third = budget / 3.0;
    Ok(third + third.hypot((2.0 * budget * variance).sqrt()))
}

/// The smallest n ≥ 2 ln(2/δ) (σ² + ε/3)/ε²: the mean is within ε of μ with probability at least 1 - δ.
///
/// # Errors
/// If ε is not positive and finite, σ² is not in [0, 1/4], δ is not strictly between 0 and 1, or n is 10¹⁵
/// and more.
pub fn bernstein_sample_size(epsilon: f64, variance: f64, delta: f64) -> Result<u64, ParamError> {
    check::positive("bernstein_sample_size", "epsilon", epsilon)?;
    small_variance("bernstein_sample_size", variance)?;
    check::open_probability("bernstein_sample_size", "delta", delta)?;
    whole(2.0 * (2.0 / delta).ln() * (variance + epsilon / 3.0) / (epsilon * epsilon))
}

/// The ε with P(μ - mean ≥ ε) ≤ δ from the sample alone: √(2V ln(2/δ)/n) + 7 ln(2/δ)/(3(n - 1)).
///
/// `sample_variance` is V, that with n - 1 below: one side (Maurer and Pontil 2009, theorem 4; by x → 1 - x
/// it is the other side as well). V of n values in [0, 1] is at most n/(4(n - 1)).
///
/// # Errors
/// If there are fewer than two observations, V is negative or above n/(4(n - 1)), or δ is not strictly
/// between 0 and 1.
pub fn empirical_bernstein_radius(count: u64, sample_variance: f64, delta: f64) -> Result<f64, ParamError> {
    let name = "empirical_bernstein_radius";
    check::require(count > 1, name, "count", count as f64, "at least 2")?;
    let n = count as f64;
    let most = LARGEST * n / (n - 1.0) * (1.0 + 8.0 * f64::EPSILON);
    check::require(
        (0.0..=most).contains(&sample_variance),
        name,
        "sample_variance",
        sample_variance,
        "that of values in [0, 1]: at least 0 and at most n/(4(n - 1))",
    )?;
    check::open_probability(name, "delta", delta)?;
    let budget = (2.0 / delta).ln();
    Ok((2.0 * sample_variance * budget / n).sqrt() + 7.0 * budget / (3.0 * (n - 1.0)))
}
