//! Monte Carlo standard errors: how far off a figure is, because the draws are few and alike.

use posterior_math::check;
use posterior_math::special::{inverse_beta_p, inverse_beta_q, normal_cdf};

use super::Undefined;
use super::ess::{self, ess_mean, ess_quantile};
use super::figures::sd_of;
use super::sample::{Sample, mean};

/// The standard error of the mean: the standard deviation by the root of [`ess_mean`].
///
/// # Errors
/// As [`ess_mean`].
pub fn mcse_mean<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let effective = ess_mean(chains)?;
    Ok(sd_of(&Sample::new(chains, ess::DRAWS)?)? / effective.sqrt())
}

/// The standard error of the standard deviation s: that of the mean of the squared distances from the mean,
/// by 2 s.
///
/// # Errors
/// As [`ess_sd`](super::ess_sd).
pub fn mcse_sd<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let standard = Sample::new(chains, ess::DRAWS)?.standard()?;
    let centre = mean(standard.sample.values());
    let squares = standard.sample.map(|x| (x - centre).powi(2));
    let effective = ess::ess_sd(chains)?;
    let variance = mean(squares.values());
    let spread = mean(&squares.values().iter().map(|square| (square - variance).powi(2)).collect::<Vec<_>>());
    Ok(standard.scale * (spread / effective / variance).sqrt() / 2.0)
}

/// The standard error of the quantile at `p`: half the distance of the draws between which it lies with the
/// probability of one standard error about the mean of a normal distribution. The probability below the
/// quantile is known as well as from [`ess_quantile`] independent draws.
///
/// # Errors
/// As [`ess_quantile`].
pub fn mcse_quantile<C: AsRef<[f64]>>(chains: &[C], p: f64) -> Result<f64, Undefined> {
    check::probability("mcse_quantile", "p", p)?;
    let effective = ess_quantile(chains, p)?;
    let sorted = Sample::new(chains, ess::DRAWS)?.sorted();
    let (a, b) = (effective * p + 1.0, effective * (1.0 - p) + 1.0);
    let outside = normal_cdf(-1.0);
    let count = sorted.len() as f64;
    let (lower, upper) = (inverse_beta_p(a, b, outside).0, inverse_beta_q(a, b, outside).0);
    let first = (lower * count).floor().max(1.0) as usize - 1;
    let last = (upper * count).ceil().min(count) as usize - 1;
    Ok(0.5 * sorted[last] - 0.5 * sorted[first])
}
