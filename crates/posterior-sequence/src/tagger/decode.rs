//! The most probable tags, where each depends on the two before.

use super::transitions::TagDistributions;

/// Viterbi's algorithm over pairs of neighbouring tags: `nodes` are K scores a word, `candidates` the tags
/// that a word may have, none empty.
///
/// O(c³) a word with c candidates.
pub(super) fn most_probable(
    distributions: &TagDistributions,
    nodes: &[f64],
    candidates: &[Vec<usize>],
) -> Vec<usize> {
    let Some(first) = candidates.first() else { return Vec::new() };
    let (mark, k) = (distributions.mark(), nodes.len() / candidates.len());
    let start = [mark];
    // The best score of all ways to each pair of (tag before, tag), and which tag was before these.
    let mut scores: Vec<f64> =
        first.iter().map(|&tag| distributions.ln_row(mark, mark)[tag] + nodes[tag]).collect();
    let mut back: Vec<Vec<usize>> = Vec::with_capacity(candidates.len());
    for t in 1..candidates.len() {
        let oldest: &[usize] = if t == 1 { &start } else { &candidates[t - 2] };
        let (last, next) = (&candidates[t - 1], &candidates[t]);
        let mut best = vec![f64::NEG_INFINITY; last.len() * next.len()];
        let mut from = vec![0; best.len()];
        for (i, &before) in oldest.iter().enumerate() {
            for (j, &tag) in last.iter().enumerate() {
                let (score, row) = (scores[i * last.len() + j], distributions.ln_row(before, tag));
                for (l, &next) in next.iter().enumerate() {
                    let place = j * candidates[t].len() + l;
                    let reached = score + row[next];
                    if reached > best[place] {
                        (best[place], from[place]) = (reached, i);
                    }
                }
            }
        }
        for (place, score) in best.iter_mut().enumerate() {
            *score += nodes[t * k + next[place % next.len()]];
        }
        scores = best;
        back.push(from);
    }
    let last = &candidates[candidates.len() - 1];
    let before: &[usize] = if candidates.len() == 1 { &start } else { &candidates[candidates.len() - 2] };
    let mut best = (0, f64::NEG_INFINITY);
    for (place, score) in scores.iter().enumerate() {
        let end = distributions.ln_row(before[place / last.len()], last[place % last.len()])[mark];
        if score + end > best.1 {
            best = (place, score + end);
        }
    }
    let (mut i, mut j) = (best.0 / last.len(), best.0 % last.len());
    let mut tags = vec![0; candidates.len()];
    for t in (0..candidates.len()).rev() {
        tags[t] = candidates[t][j];
        if t > 0 {
            let oldest = back[t - 1][i * candidates[t].len() + j];
            (i, j) = (oldest, i);
        }
    }
    tags
}
