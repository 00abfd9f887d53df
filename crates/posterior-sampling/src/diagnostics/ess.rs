//! Effective sample sizes: as many independent draws would do as well.

use posterior_math::check;
use posterior_math::streaming::quantile_of_sorted;

use super::Undefined;
use super::autocovariance::mean_autocovariance;
use super::sample::{Sample, mean, variance};
use super::scores::normal_scores;

/// Each half has the first two pairs of autocorrelations, and the two lags beyond that are too noisy.
pub(super) const DRAWS: usize = 12;

/// Effective draws for the mean.
///
/// May be more than there are draws, where these avoid each other. O(S log n) for S draws, n of each chain.
///
/// # Errors
/// All draws the same, fewer than 12 for each chain, chains of different lengths, draws that are not finite.
pub fn ess_mean<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    split_ess(&Sample::new(chains, DRAWS)?)
}

/// Effective draws for the middle of the distribution: those of the rank-normalised draws. 100 for each chain
/// make diagnostics worth reading.
///
/// # Errors
/// As [`ess_mean`].
pub fn ess_bulk<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let sample = Sample::new(chains, DRAWS)?.halves();
    ess(&normal_scores(&sample)).map_err(|why| sample.reason(why))
}

/// Effective draws for the tails: the smaller one of those for the 5 % and the 95 % quantile.
///
/// # Errors
/// As [`ess_mean`].
pub fn ess_tail<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let sample = Sample::new(chains, DRAWS)?;
    let sorted = sample.sorted();
    let tail = |p| split_ess(&below(&sample, quantile_of_sorted(&sorted, p)));
    match (tail(0.05), tail(0.95)) {
        (Ok(lower), Ok(upper)) => Ok(lower.min(upper)),
        // A tail that holds all draws says nothing.
        (Ok(one), Err(Undefined::Constant { .. })) | (Err(Undefined::Constant { .. }), Ok(one)) => Ok(one),
        (Err(why), _) | (_, Err(why)) => Err(sample.reason(why)),
    }
}

/// Effective draws for the probability below the quantile at `p`.
///
/// # Errors
/// As [`ess_mean`]; a `p` that is no probability; all draws on one side of the quantile.
pub fn ess_quantile<C: AsRef<[f64]>>(chains: &[C], p: f64) -> Result<f64, Undefined> {
    check::probability("ess_quantile", "p", p)?;
    let sample = Sample::new(chains, DRAWS)?;
    let quantile = quantile_of_sorted(&sample.sorted(), p);
    split_ess(&below(&sample, quantile)).map_err(|why| sample.reason(why))
}

/// Effective draws for the median.
///
/// # Errors
/// As [`ess_quantile`].
pub fn ess_median<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    ess_quantile(chains, 0.5)
}

/// Effective draws for the standard deviation: those for the mean of the squared distances from the mean.
///
/// # Errors
/// As [`ess_mean`]; all draws at the same distance from their mean.
pub fn ess_sd<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let sample = Sample::new(chains, DRAWS)?.standard()?.sample;
    let centre = mean(sample.values());
    split_ess(&sample.map(|x| (x - centre).powi(2))).map_err(|why| sample.reason(why))
}

/// 1 for draws up to the threshold.
fn below(sample: &Sample, threshold: f64) -> Sample {
    sample.map(|x| f64::from(u8::from(x <= threshold)))
}

pub(super) fn split_ess(sample: &Sample) -> Result<f64, Undefined> {
    ess(&sample.halves())
}

/// S / τ with the autocorrelation time τ of Geyer's initial monotone sequence, of chains that may differ in
/// their means; no more than S log₁₀ S.
fn ess(sample: &Sample) -> Result<f64, Undefined> {
    let sample = sample.standard()?.sample;
    let draws = sample.len() as f64;
    let covariances = mean_autocovariance(&sample);
    let within = covariances[0] * draws / (draws - 1.0);
    let means: Vec<f64> = sample.chains().map(mean).collect();
    let between = if means.len() > 1 { variance(&means) } else { 0.0 };
    let total = covariances[0] + between;
    let correlations: Vec<f64> = covariances.iter().map(|c| 1.0 - (within - c) / total).collect();
    let all = sample.values().len() as f64;
    Ok(all / autocorrelation_time(correlations).max(1.0 / all.log10()))
}

/// -1 + 2 Σ ρ, the sum over pairs of lags until a pair is negative, no pair larger than the one before (Geyer
/// 1992); of the next pair the even lag counts once, which is better for chains that turn around.
fn autocorrelation_time(mut correlations: Vec<f64>) -> f64 {
    correlations[0] = 1.0;
    let last = correlations.len() - 2;
    let pairs: Vec<(f64, f64)> =
        correlations[..last].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let kept = pairs[..pairs.len() - 1].iter().take_while(|(even, odd)| even + odd > 0.0).count();
    let mut smallest = f64::INFINITY;
    let sum: f64 = pairs[..kept]
        .iter()
        .map(|(even, odd)| {
            smallest = smallest.min(even + odd);
            smallest
        })
        .sum();
    -1.0 + 2.0 * sum + pairs[kept].0.max(0.0)
}
