//! Ranks in the place of draws, so that no mean and no variance need exist.

use posterior_math::special::normal_quantile;
use posterior_math::streaming::quantile_of_sorted;

use super::sample::Sample;
use super::{Undefined, ess_bulk};

/// Φ⁻¹((r - 3/8) / (S + 1/4)) for the rank r of each of the S draws among all; draws that are equal share
/// their mean rank.
pub(super) fn normal_scores(sample: &Sample) -> Sample {
    let count = sample.values().len() as f64;
    let (mut last, mut score) = (f64::NAN, f64::NAN);
    mean_ranks(sample).map(|rank| {
        // Equal draws often stand side by side.
        if rank != last {
            (last, score) = (rank, normal_quantile((rank - 0.375) / (count + 0.25)));
        }
        score
    })
}

/// The rank of each draw among all, from 1.
fn mean_ranks(sample: &Sample) -> Sample {
    let values = sample.values();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + f64::midpoint(tied.len() as f64, 1.0);
        for &draw in tied {
            ranks[draw] = rank;
        }
        below += tied.len();
    }
    sample.with_values(ranks)
}

/// Distances from the median: what makes chains of different scales look different.
pub(super) fn folded(sample: &Sample) -> Sample {
    let median = quantile_of_sorted(&sample.sorted(), 0.5);
    // In half units: the distance of two draws may be larger than the largest number.
    sample.map(|x| (0.5 * x - 0.5 * median).abs())
}

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

/// The histogram of ranks with this many bins, one at least; draws that are equal share their mean rank.
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
    let share = 1.0 / bins as f64;
    let expected = sample.len() as f64 * share;
    let spread = (expected * (1.0 - share) * (all / effective).max(1.0)).sqrt();
    let band = ((expected - NORMAL_DISTANCE * spread).max(0.0), expected + NORMAL_DISTANCE * spread);
    Ok(RankHistogram { counts: ranks.chains().map(count).collect(), band })
}
