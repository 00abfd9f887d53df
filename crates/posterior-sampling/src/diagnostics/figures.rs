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

/// The shortest interval between two draws that holds this proportion of all draws: the region of highest
/// density, where that is an interval.
///
/// # Errors
/// As [`mean`]; a proportion that is no probability.
///
/// # References
/// M.-H. Chen, Q.-M. Shao, Monte Carlo estimation of Bayesian credible and HPD intervals, Journal of
/// Computational and Graphical Statistics 8, 1999.
pub fn highest_density<C: AsRef<[f64]>>(chains: &[C], proportion: f64) -> Result<[f64; 2], Undefined> {
    check::probability("highest_density", "proportion", proportion)?;
    Ok(highest_density_of_sorted(&Sample::new(chains, 1)?.sorted(), proportion))
}

pub(super) fn highest_density_of_sorted(sorted: &[f64], proportion: f64) -> [f64; 2] {
    let steps = ((proportion * sorted.len() as f64) as usize).min(sorted.len() - 1);
    let ends = sorted.iter().zip(&sorted[steps..]).map(|(&low, &high)| [low, high]);
    let shorter = |a: [f64; 2], b: [f64; 2]| if b[1] - b[0] < a[1] - a[0] { b } else { a };
    ends.reduce(shorter).unwrap_or([f64::NAN; 2])
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
