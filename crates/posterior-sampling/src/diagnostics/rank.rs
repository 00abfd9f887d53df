//! Ranks in the place of draws, so that no mean and no variance need exist.

use super::sample::Sample;
use super::scores::mean_ranks;
use super::{Undefined, ess_bulk};

/// How the draws of each chain spread among the ranks of all draws, for a rank plot (Vehtari et al. 2021).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RankHistogram {
    /// For each chain, its draws in each bin; all bins hold as many of all draws, up to ties.
    pub counts: Vec<Vec<f64>>,
    /// Where 99.9 % of the counts would be if the chains agreed, given how many independent draws they are
    /// worth.
    pub band: (f64, f64),
}

/// The histogram of ranks with this many bins, one at least; draws that are equal proportion their mean rank.
///
/// # Errors
/// As [`ess_bulk`](super::ess_bulk).
pub fn rank_histogram<C: AsRef<[f64]>>(chains: &[C], bins: usize) -> Result<RankHistogram, Undefined> {
    const NORMAL_DISTANCE: f64 = 3.2905;
    let effective = ess_bulk(chains)?;
    let sample = Sample::new(chains, 1)?;
    let (all, bins) = (sample.values().len() as f64, bins.max(1));
    let ranks = mean_ranks(&sample);
    let count = |chain: &[f64]| {
        let mut counts = vec![0.0; bins];
        for rank in chain {
            let bin = ((rank - 0.5) / all * bins as f64) as usize;
            counts[bin.min(bins - 1)] += 1.0;
        }
        counts
    };
    let proportion = 1.0 / bins as f64;
    let expected = sample.len() as f64 * proportion;
    let spread = (expected * (1.0 - proportion) * (all / effective).max(1.0)).sqrt();
    let band = ((expected - NORMAL_DISTANCE * spread).max(0.0), expected + NORMAL_DISTANCE * spread);
    Ok(RankHistogram { counts: ranks.chains().map(count).collect(), band })
}
