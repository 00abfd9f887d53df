//! Does a single chain begin where it ends?

use posterior_math::check;

use super::figures::mean_of;
use super::sample::Sample;
use super::{Undefined, mcse_mean};

/// Geweke's z (1992): the difference of the means of the first part of a chain and of its last part, by its
/// standard error; of a chain that has forgotten its start, standard normal. Geweke takes the first 0.1 and
/// the last 0.5.
///
/// # Errors
/// Parts that are not in (0, 1), or overlap; of either part, what [`mcse_mean`] says.
pub fn geweke_z(chain: &[f64], first: f64, last: f64) -> Result<f64, Undefined> {
    check::open_probability("geweke_z", "first", first)?;
    check::open_probability("geweke_z", "last", last)?;
    check::require(first + last <= 1.0, "geweke_z", "last", last, "at most 1 - first")?;
    let part = |proportion: f64| (proportion * chain.len() as f64).floor() as usize;
    let (early, late) = (&chain[..part(first)], &chain[chain.len() - part(last)..]);
    let difference = mean_of(&Sample::new(&[early], 1)?)? - mean_of(&Sample::new(&[late], 1)?)?;
    Ok(difference / mcse_mean(&[early])?.hypot(mcse_mean(&[late])?))
}
