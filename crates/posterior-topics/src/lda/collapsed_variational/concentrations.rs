//! Concentrations of the priors from expected counts.

use crate::lanes::{Lane, width};
use crate::lda::digamma::digamma;

/// The bounds that concentrations are kept in: a topic without tokens may come back.
const BOUNDS: (f64, f64) = (1e-4, 1e4);

/// One step of Minka's (2000) fixed point:
/// `alpha_k sum_d [ψ(alpha_k + n_dk) - ψ(alpha_k)] / sum_d [ψ(alpha_0 + N_d) - ψ(alpha_0)]`. It never lowers
/// the likelihood of the counts, whole numbers or not.
pub(super) fn improve_alpha<'a>(
    groups: impl Iterator<Item = &'a [Lane]>,
    tokens: impl Iterator<Item = f64>,
    alpha: &[f64],
) -> Vec<f64> {
    let total: f64 = alpha.iter().sum();
    let mut lengths: Vec<f64> = tokens.map(|n| n + total).collect();
    let none = digammas(&mut [total])[0];
    let growth: f64 = digammas(&mut lengths).iter().map(|psi| psi - none).sum();
    let mut sums = vec![0.0; alpha.len()];
    let mut row = vec![[1.0; 8]; width(alpha.len())];
    let mut nothing = alpha.to_vec();
    digamma(&mut nothing);
    for group in groups {
        for counts in group.chunks_exact(row.len()) {
            let numbers = row.as_flattened_mut();
            for ((number, n), a) in numbers.iter_mut().zip(counts.as_flattened()).zip(alpha) {
                *number = n.max(0.0) + a;
            }
            digamma(&mut numbers[..alpha.len()]);
            for ((sum, psi), nothing) in sums.iter_mut().zip(&*numbers).zip(&nothing) {
                *sum += psi - nothing;
            }
        }
    }
    alpha.iter().zip(sums).map(|(a, sum)| bounded(a * sum / growth, *a)).collect()
}

/// The same for the common concentration of all words.
pub(super) fn improve_beta<'a>(
    groups: impl Iterator<Item = &'a [Lane]>,
    totals: &[f64],
    words: usize,
    beta: f64,
) -> f64 {
    let all = words as f64 * beta;
    let mut lengths: Vec<f64> = totals.iter().map(|n| n.max(0.0) + all).collect();
    let none = digammas(&mut [all])[0];
    let growth: f64 = digammas(&mut lengths).iter().map(|psi| psi - none).sum();
    let nothing = digammas(&mut [beta])[0];
    let mut sum = 0.0;
    let mut row = vec![1.0; totals.len()];
    for group in groups {
        for counts in group.chunks_exact(width(totals.len())) {
            for (number, n) in row.iter_mut().zip(counts.as_flattened()) {
                *number = n.max(0.0) + beta;
            }
            sum += digammas(&mut row).iter().map(|psi| psi - nothing).sum::<f64>();
        }
    }
    bounded(beta * sum / (words as f64 * growth), beta)
}

fn digammas(numbers: &mut [f64]) -> &[f64] {
    digamma(numbers);
    numbers
}

/// Within bounds; as before, if the counts say nothing.
fn bounded(next: f64, before: f64) -> f64 {
    if next.is_finite() { next.clamp(BOUNDS.0, BOUNDS.1) } else { before }
}
