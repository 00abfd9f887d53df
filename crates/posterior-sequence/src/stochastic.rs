//! Rows of probabilities.

use posterior_dist::choose;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

/// How far from one the sum of given probabilities may be.
const SUM_TOLERANCE: f64 = 1e-9;

/// Makes a row of probabilities sum to one, if it does within 1e-9.
///
/// A row whose sum misses one by rounding only stays as it is, so that what was written is read back bit by
/// bit.
///
/// # Errors
/// An entry that is no probability; another sum.
pub(crate) fn normalize(
    type_name: &'static str,
    parameter: &'static str,
    row: &mut [f64],
) -> Result<(), ParamError> {
    for (index, &entry) in row.iter().enumerate() {
        check::probability(type_name, parameter, entry).map_err(|error| error.at(index))?;
    }
    let sum: f64 = row.iter().sum();
    check::require((sum - 1.0).abs() <= SUM_TOLERANCE, type_name, parameter, sum, "numbers that sum to 1")?;
    if (sum - 1.0).abs() > f64::EPSILON * row.len() as f64 {
        for entry in row {
            *entry /= sum;
        }
    }
    Ok(())
}

/// An index drawn from weights that sum to about one; never one of weight zero.
pub(crate) fn draw<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    choose(weights, rng.random::<f64>() * weights.iter().sum::<f64>()).unwrap_or_default()
}
