//! A standard normal variable in an interval.

use posterior_dist::{Density, Normal, Truncated};
use posterior_math::ParamError;

/// A standard normal variable in an interval; `None` if that has no probability.
pub(super) fn interval(low: f64, high: f64) -> Option<Truncated<Normal>> {
    Truncated::new(Normal::STANDARD, low, high).ok()
}

/// The density of such a variable at both ends, 0 at infinite ones.
pub(super) fn densities_at_ends(low: f64, high: f64) -> Result<[f64; 2], ParamError> {
    let within = Truncated::new(Normal::STANDARD, low, high)?;
    Ok([low, high].map(|end| (Normal::STANDARD.ln_pdf(&end) - within.ln_mass()).exp()))
}
