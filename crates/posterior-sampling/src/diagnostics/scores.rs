//! Ranks in the place of draws, so that no mean and no variance need exist.

use posterior_math::special::normal_quantile;
use posterior_math::streaming::quantile_of_sorted;

use super::sample::Sample;

/// Φ⁻¹((r - 3/8) / (S + 1/4)) for the rank r of each of the S draws among all; draws that are equal
/// proportion their mean rank.
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
pub(super) fn mean_ranks(sample: &Sample) -> Sample {
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
