//! Scores as weights next to the largest.

use posterior_math::elementwise;
use pulp::{Arch, Simd, WithSimd};

use super::lanes::{LANES, Lane, width};
use super::vectors::{Portable, Vectors, Wide, with_vectors};

/// Scores further than this below the largest weigh what this one does: no possible thing weighs nothing.
const FARTHEST: f64 = -700.0;

/// Replaces scores by their differences from the largest, which is returned, or 0 if all are -∞.
///
/// e to the power of what is written is a weight in [1e-304, 1], and 0 for -∞ only.
#[inline(always)]
fn shift_lanes<F: Vectors>(f: F, scores: &mut [Lane]) -> f64 {
    let never = f.splat(f64::NEG_INFINITY);
    let mut largest = never;
    for &lane in &*scores {
        largest = f.max(largest, f.load(lane));
    }
    let [a, b, c, d] = f.lane(largest);
    let largest = a.max(b).max(c.max(d));
    let largest = if largest > f64::NEG_INFINITY { largest } else { 0.0 };
    let (less, farthest) = (f.splat(-largest), f.splat(FARTHEST));
    for lane in scores {
        let score = f.load(*lane);
        let below = f.max(f.add(score, less), farthest);
        *lane = f.lane(f.select_less(never, score, below, never));
    }
    largest
}

/// The weights of scores, and the largest score, or 0 if all are -∞.
pub(super) fn of_scores(scores: &[f64], weights: &mut Vec<Lane>) -> f64 {
    let mut largest = 0.0;
    rows(scores, scores.len(), weights, |score| largest = score);
    largest
}

/// Makes rows of weights of rows of scores, K numbers each; calls back with the largest of each row.
pub(super) fn rows(scores: &[f64], states: usize, out: &mut Vec<Lane>, largest: impl FnMut(f64)) {
    let width = width(states);
    out.clear();
    out.resize(scores.len() / states * width, [f64::NEG_INFINITY; LANES]);
    Arch::new().dispatch(Shift { scores, states, out, largest });
    elementwise::exp(out.as_flattened_mut());
}

struct Shift<'a, L> {
    scores: &'a [f64],
    states: usize,
    /// -∞, in rows.
    out: &'a mut [Lane],
    largest: L,
}

impl<L: FnMut(f64)> WithSimd for Shift<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { scores, states, out, mut largest } = self;
        let rows = out.chunks_exact_mut(width(states)).zip(scores.chunks_exact(states));
        for (row, scores) in rows {
            let (whole, rest) = scores.as_chunks::<LANES>();
            for (lane, scores) in row.iter_mut().zip(whole) {
                *lane = *scores;
            }
            if let Some(lane) = row.get_mut(whole.len()) {
                for (lane, score) in lane.iter_mut().zip(rest) {
                    *lane = *score;
                }
            }
            largest(with_vectors!(simd, S, |f| shift_lanes(f, row)));
        }
    }
}
