//! Ranks in the place of draws, so that no mean and no variance need exist.

use posterior_math::special::normal_quantile;

use super::sample::{Sample, sorted_quantile};

/// Φ⁻¹((r - 3/8) / (S + 1/4)) for the rank r of each of the S draws among all; draws that are equal share their mean rank.
pub(super) fn normal_scores(sample: &Sample) -> Sample {
    let values = sample.values();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut scores = vec![0.0; values.len()];
    let mut below = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = below as f64 + f64::midpoint(tied.len() as f64, 1.0);
        let score = normal_quantile((rank - 0.375) / (values.len() as f64 + 0.25));
        for &draw in tied {
            scores[draw] = score;
        }
        below += tied.len();
    }
    sample.with_values(scores)
}

/// Distances from the median: what makes chains of different scales look different.
pub(super) fn folded(sample: &Sample) -> Sample {
    let median = sorted_quantile(&sample.sorted(), 0.5);
    // In half units: the distance of two draws may be larger than the largest number.
    sample.map(|x| (0.5 * x - 0.5 * median).abs())
}
