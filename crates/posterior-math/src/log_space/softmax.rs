//! Normalised weights from log weights.

use super::ln_sum_exp::ln_sum_exp;

/// Replaces log weights by the normalised weights exp(vᵢ) / Σ exp(vⱼ), and returns ln Σ exp(vⱼ).
///
/// Weights of +∞ share the mass evenly. If all are -∞ there is nothing to normalise, and if one is NaN neither: all
/// become NaN. An empty slice stays empty, and its sum is -∞.
///
/// ```
/// let mut weights = [1000.0, 1000.0 + 3_f64.ln()];
/// posterior_math::log_space::softmax_in_place(&mut weights);
/// assert!((weights[1] - 0.75).abs() < 1e-12);
/// ```
pub fn softmax_in_place(ln_weights: &mut [f64]) -> f64 {
    let ln_sum = ln_sum_exp(ln_weights);
    if ln_sum == f64::INFINITY {
        share_infinite(ln_weights, |share| share);
        return ln_sum;
    }
    let largest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for weight in ln_weights.iter_mut() {
        *weight = (*weight - largest).exp();
        sum += *weight;
    }
    for weight in ln_weights {
        *weight /= sum;
    }
    ln_sum
}

/// Subtracts ln Σ exp(vⱼ) from each log weight, and returns it; the special cases are those of [`softmax_in_place`].
///
/// ```
/// let mut weights = [0.0, 3_f64.ln()];
/// posterior_math::log_space::ln_softmax_in_place(&mut weights);
/// assert!((weights[0] - 0.25_f64.ln()).abs() < 1e-15);
/// ```
pub fn ln_softmax_in_place(ln_weights: &mut [f64]) -> f64 {
    let ln_sum = ln_sum_exp(ln_weights);
    if ln_sum == f64::INFINITY {
        share_infinite(ln_weights, f64::ln);
        return ln_sum;
    }
    // Largest first: what is left of it is exact where the weights are large and of like size.
    let largest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let rest = ln_sum_exp(&ln_weights.iter().map(|&weight| weight - largest).collect::<Vec<_>>());
    for weight in ln_weights {
        *weight = (*weight - largest) - rest;
    }
    ln_sum
}

/// Gives each weight of +∞ the same share, the others none.
fn share_infinite(ln_weights: &mut [f64], of_share: impl Fn(f64) -> f64) {
    let count = ln_weights.iter().filter(|&&weight| weight == f64::INFINITY).count();
    for weight in ln_weights {
        *weight = of_share(if *weight == f64::INFINITY { (count as f64).recip() } else { 0.0 });
    }
}
