//! Scores as weights next to the largest.

use posterior_math::elementwise;

use super::lanes::{LANES, Lane, width};

/// Scores further than this below the largest weigh what this one does: no possible thing weighs nothing.
const FARTHEST: f64 = -700.0;

/// Writes the scores less the largest, and returns the largest, or 0 if all are -∞.
///
/// e to the power of what is written is a weight in [1e-304, 1], and 0 for -∞ only.
pub(super) fn shift(scores: &[f64], shifted: &mut [f64]) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for &score in scores {
        largest = if score > largest { score } else { largest };
    }
    let largest = if largest > f64::NEG_INFINITY { largest } else { 0.0 };
    for (shifted, &score) in shifted.iter_mut().zip(scores) {
        let below = score - largest;
        let below = if below > FARTHEST { below } else { FARTHEST };
        *shifted = if score > f64::NEG_INFINITY { below } else { f64::NEG_INFINITY };
    }
    largest
}

/// Makes rows of weights of rows of scores, K numbers each; calls back with the largest of each row.
pub(super) fn rows(scores: &[f64], states: usize, out: &mut Vec<Lane>, mut largest: impl FnMut(f64)) {
    let width = width(states);
    out.clear();
    out.resize(scores.len() / states * width, [f64::NEG_INFINITY; LANES]);
    for (row, scores) in out.chunks_exact_mut(width).zip(scores.chunks_exact(states)) {
        largest(shift(scores, &mut row.as_flattened_mut()[..states]));
    }
    elementwise::exp(out.as_flattened_mut());
}
