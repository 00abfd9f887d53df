//! The largest weights replaced by the quantiles of their fitted tail, and what the tail says about all of
//! them.

use posterior_dist::{GeneralizedPareto, Univariate};
use posterior_math::check;

use super::ImportanceWeights;
use crate::Error;

/// Weights whose largest ones are smoothed, and the shape of their tail.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SmoothedWeights {
    /// The weights, those of the tail smoothed.
    pub weights: ImportanceWeights,
    /// k̂, the shape of the tail: the weights have about 1 / k̂ moments. +∞ if fewer than five weights are in
    /// the tail, -∞ if all weights are equal.
    pub shape: f64,
    /// How many weights are in the tail.
    pub tail: usize,
}

impl SmoothedWeights {
    /// Whether estimates and their standard errors can be trusted: k̂ is below the
    /// [`threshold`](Self::threshold).
    pub fn is_reliable(&self) -> bool {
        self.shape < self.threshold()
    }

    /// The largest k̂ that so many draws can bear: [`reliable_shape`].
    pub fn threshold(&self) -> f64 {
        reliable_shape(self.weights.len())
    }

    /// How many draws such a tail needs, 10^(1 / (1 - k̂)): +∞ from k̂ = 1 on, where the mean weight is
    /// infinite.
    pub fn draws_needed(&self) -> f64 {
        if self.shape < 1.0 { 10_f64.powf((1.0 - self.shape.max(0.0)).recip()) } else { f64::INFINITY }
    }
}

/// The largest k̂ with which S draws give estimates that can be trusted: min(1 - 1 / log₁₀ S, 0.7).
pub fn reliable_shape(draws: usize) -> f64 {
    (1.0 - (draws as f64).log10().recip()).min(0.7)
}

/// Smooths weights that are given by their logarithms.
///
/// The largest min(S / 5, 3 √(S / r)) weights are replaced, in their order, by the quantiles of a generalised
/// Pareto distribution that is fitted to them, and none by more than the largest. r is the relative
/// efficiency of the draws, ESS / S: 1 for independent ones. If the tail can't be fitted, the weights stay.
/// Costs a sort.
///
/// ```
/// use posterior_sampling::importance::pareto_smoothed;
///
/// // A heavy tail: weights u^-0.9 at equally spaced u have a mean, and no variance.
/// let ln_weights = (0..1000).map(|s| -0.9 * ((s as f64 + 0.5) / 1000.0).ln());
/// let smoothed = pareto_smoothed(ln_weights.collect(), 1.0)?;
/// assert!((smoothed.shape - 0.9).abs() < 0.1);
/// assert!(!smoothed.is_reliable());
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # Errors
/// As [`ImportanceWeights::from_ln`]; an efficiency that is not positive and finite.
///
/// # References
/// A. Vehtari, D. Simpson, A. Gelman, Y. Yao, J. Gabry, Pareto smoothed importance sampling, JMLR 25, 2024.
pub fn pareto_smoothed(ln_weights: Vec<f64>, relative_efficiency: f64) -> Result<SmoothedWeights, Error> {
    check::positive("pareto_smoothed", "relative_efficiency", relative_efficiency)?;
    let raw = ImportanceWeights::from_ln(ln_weights)?;
    let draws = raw.len();
    let largest = raw.ln().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if raw.ln().iter().all(|&ln| ln == largest) {
        return Ok(SmoothedWeights { weights: raw, shape: f64::NEG_INFINITY, tail: 0 });
    }
    let mut order: Vec<usize> = (0..draws).collect();
    order.sort_by(|&a, &b| raw.ln()[a].total_cmp(&raw.ln()[b]));
    let wanted = (draws as f64 / 5.0).min(3.0 * (draws as f64 / relative_efficiency).sqrt()).ceil() as usize;
    // The largest weight that is not in the tail; weights that underflow beside the largest never are.
    let below = order[draws.saturating_sub(wanted + 1)];
    let cutoff = (raw.ln()[below] - largest).max(f64::MIN_POSITIVE.ln());
    let first = order.partition_point(|&s| raw.ln()[s] - largest <= cutoff);
    let tail = &order[first..];
    let excess = |&s: &usize| cutoff.exp() * (raw.ln()[s] - largest - cutoff).exp_m1();
    let Some(distribution) = GeneralizedPareto::of_excesses(&tail.iter().map(excess).collect::<Vec<_>>())
    else {
        return Ok(SmoothedWeights { tail: tail.len(), weights: raw, shape: f64::INFINITY });
    };
    let shape = towards_one_half(distribution.shape(), tail.len());
    let distribution = GeneralizedPareto::new(0.0, distribution.scale(), shape)?;
    let mut ln = raw.ln().to_vec();
    for (rank, &s) in tail.iter().enumerate() {
        let p = (rank as f64 + 0.5) / tail.len() as f64;
        ln[s] = largest + (cutoff.exp() + distribution.quantile(p)).ln().min(0.0);
    }
    Ok(SmoothedWeights { weights: ImportanceWeights::from_ln(ln)?, shape, tail: tail.len() })
}

/// k̂ with a prior that counts as ten draws of a tail with k = ½.
fn towards_one_half(shape: f64, draws: usize) -> f64 {
    let n = draws as f64;
    (n * shape + 5.0) / (n + 10.0)
}
