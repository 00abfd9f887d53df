//! Drawing from log weights without normalising them.

use rand::Rng;
use rand::distr::{Distribution, Open01};

/// Draws k with probability proportional to exp(`ln_weights[k]`): the argmax of the log weights plus
/// independent Gumbel variables -ln(-ln U). No exponential is taken of a weight, so none overflows or
/// vanishes, whatever their scale.
///
/// One uniform number per finite weight; a weight of -∞ is never drawn. `None`, and no number used, if there
/// is nothing to draw from: a weight is +∞ or NaN, or all are -∞, or there is none.
///
/// ```
/// use posterior_dist::{gumbel_max::gumbel_max, stream::stream};
///
/// let ln_weights = [f64::NEG_INFINITY, -1e5, -1e5 + 80.0];
/// assert_eq!(gumbel_max(&ln_weights, &mut stream(1, &[])), Some(2)); // e⁸⁰ times as probable
/// ```
pub fn gumbel_max<R: Rng + ?Sized>(ln_weights: &[f64], rng: &mut R) -> Option<usize> {
    if ln_weights.iter().any(|&ln_weight| !(ln_weight < f64::INFINITY)) {
        return None;
    }
    let mut best = None;
    let mut highest = f64::NEG_INFINITY;
    for (k, &ln_weight) in ln_weights.iter().enumerate() {
        if ln_weight == f64::NEG_INFINITY {
            continue;
        }
        let uniform: f64 = Open01.sample(rng);
        let score = ln_weight - (-uniform.ln()).ln();
        if best.is_none() || score > highest {
            (best, highest) = (Some(k), score);
        }
    }
    best
}
