//! Mean, standard deviation and quantiles of the draws of all chains.

use posterior_math::check;
use posterior_math::streaming::quantile_of_sorted;

use super::Undefined;
use super::sample::{self, Sample};

/// The mean of all draws.
///
/// # Errors
/// No draws, chains of different lengths, draws that are not finite.
pub fn mean<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    mean_of(&Sample::new(chains, 1)?)
}

/// The standard deviation of all draws, with the divisor S - 1 for S draws.
///
/// # Errors
/// As [`mean`]; a single draw.
pub fn sd<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    sd_of(&Sample::new(chains, 1)?)
}

/// The quantile at `p` of all draws, by linear interpolation between the two next to it.
///
/// # Errors
/// As [`mean`]; a `p` that is no probability.
pub fn quantile<C: AsRef<[f64]>>(chains: &[C], p: f64) -> Result<f64, Undefined> {
    check::probability("quantile", "p", p)?;
    Ok(quantile_of_sorted(&Sample::new(chains, 1)?.sorted(), p))
}

pub(super) fn mean_of(sample: &Sample) -> Result<f64, Undefined> {
    match sample.standard() {
        Ok(standard) => Ok(standard.origin + standard.scale * sample::mean(standard.sample.values())),
        Err(Undefined::Constant { value }) => Ok(value),
        Err(other) => Err(other),
    }
}

pub(super) fn sd_of(sample: &Sample) -> Result<f64, Undefined> {
    if sample.values().len() < 2 {
        return Err(Undefined::TooFew { needed: 2, found: 1 });
    }
    match sample.standard() {
        Ok(standard) => Ok(standard.scale * sample::variance(standard.sample.values()).sqrt()),
        Err(Undefined::Constant { .. }) => Ok(0.0),
        Err(other) => Err(other),
    }
}
