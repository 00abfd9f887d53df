//! Hoeffding's inequality: of variables in [0, 1], nothing else being known.

use posterior_math::check::{self, ParamError};

use super::{observations, whole};

/// P(Sₙ - nμ ≥ a) ≤ exp(-2a²/n).
///
/// # Errors
/// If there are no observations, or a is negative or not finite.
pub fn hoeffding_tail(count: u64, excess: f64) -> Result<f64, ParamError> {
    let n = observations(count)?;
    let a = check::non_negative("hoeffding_tail", "excess", excess)?;
    Ok((-2.0 * a * (a / n)).exp())
}

/// The ε with P(mean - μ ≥ ε) ≤ δ: √(ln(1/δ)/(2n)).
///
/// One side; for both, give δ/2. It may exceed 1, where it says nothing.
///
/// # Errors
/// If there are no observations, or δ is not strictly between 0 and 1.
pub fn hoeffding_radius(count: u64, delta: f64) -> Result<f64, ParamError> {
    let n = observations(count)?;
    check::open_probability("hoeffding_radius", "delta", delta)?;
    Ok((-delta.ln() / (2.0 * n)).sqrt())
}

/// The smallest n ≥ ln(2/δ)/(2ε²): the mean is within ε of μ with probability at least 1 - δ.
///
/// # Errors
/// If ε is not positive and finite, δ is not strictly between 0 and 1, or n is 10¹⁵ and more.
pub fn hoeffding_sample_size(epsilon: f64, delta: f64) -> Result<u64, ParamError> {
    check::positive("hoeffding_sample_size", "epsilon", epsilon)?;
    check::open_probability("hoeffding_sample_size", "delta", delta)?;
    whole((2.0 / delta).ln() / (2.0 * epsilon * epsilon))
}
