//! Normalised weights from log weights.

use super::ln_sum_exp::largest_term;

/// Replaces log weights by the normalised weights exp(vᵢ) / Σ exp(vⱼ), and returns ln Σ exp(vⱼ).
///
/// Weights of +∞ share the mass evenly. If all are -∞ there is nothing to normalise, and if one is NaN
/// neither: all become NaN. An empty slice stays empty, and its sum is -∞.
///
/// ```
/// let mut weights = [1000.0, 1000.0 + 3_f64.ln()];
/// posterior_math::log_space::softmax_in_place(&mut weights);
/// assert!((weights[1] - 0.75).abs() < 1e-12);
/// ```
pub fn softmax_in_place(ln_weights: &mut [f64]) -> f64 {
    let (at, largest) = largest_term(ln_weights);
    if !largest.is_finite() {
        return fill_degenerate(ln_weights, largest, |proportion| proportion);
    }
    for weight in ln_weights.iter_mut() {
        *weight = (*weight - largest).exp();
    }
    let others = ln_weights[..at].iter().sum::<f64>() + ln_weights[at + 1..].iter().sum::<f64>();
    for weight in ln_weights {
        *weight /= 1.0 + others;
    }
    largest + others.ln_1p()
}

/// Subtracts ln Σ exp(vⱼ) from each log weight, and returns it; the special cases are those of
/// [`softmax_in_place`].
///
/// ```
/// let mut weights = [0.0, 3_f64.ln()];
/// posterior_math::log_space::ln_softmax_in_place(&mut weights);
/// assert!((weights[0] - 0.25_f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_softmax_in_place(ln_weights: &mut [f64]) -> f64 {
    let (at, largest) = largest_term(ln_weights);
    if !largest.is_finite() {
        return fill_degenerate(ln_weights, largest, f64::ln);
    }
    let others = |slice: &[f64]| slice.iter().map(|&weight| (weight - largest).exp()).sum::<f64>();
    let ln_rest = (others(&ln_weights[..at]) + others(&ln_weights[at + 1..])).ln_1p();
    // The largest first: what is left is exact where the weights are large and of like size.
    for weight in ln_weights {
        *weight = (*weight - largest) - ln_rest;
    }
    largest + ln_rest
}

/// Gives each weight of +∞ the same proportion and the others none; NaN to all if the largest is NaN or -∞.
/// Returns it.
fn fill_degenerate(ln_weights: &mut [f64], largest: f64, of_proportion: impl Fn(f64) -> f64) -> f64 {
    let count = ln_weights.iter().filter(|&&weight| weight == f64::INFINITY).count();
    for weight in ln_weights {
        *weight = if largest == f64::INFINITY {
            of_proportion(if *weight == f64::INFINITY { (count as f64).recip() } else { 0.0 })
        } else {
            f64::NAN
        };
    }
    largest
}
