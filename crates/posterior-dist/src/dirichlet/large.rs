//! Density, entropy and divergence of a Dirichlet distribution of large concentration, where ln Γ of α₀ and
//! those of α_k are huge numbers that cancel: they are combined by hand (Stirling), and only deviances and
//! remainders are added.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use posterior_math::special::{
    ln_gamma, poisson_deviance, stirling_remainder, stirling_remainder_derivative,
};
use posterior_math::streaming::NeumaierSum;

use crate::gamma_divergence::beyond_deviance;

/// The concentrations α₀ for which this is better than the plain formulas, and nothing overflows.
pub(super) const RANGE: RangeInclusive<f64> = 1e3..=1e290;

/// An α_k from which its ln Γ is combined too.
const LARGE: f64 = 10.0;

/// ln p(t), with D(α; m) the deviance and Δ the remainder of Stirling's formula:
/// Σ (-D(α_k; α₀ t_k) - ln t_k + ½ ln(α_k / 2π) - Δ(α_k)) + α₀ (Σ t - 1) + ½ ln(2π / α₀) + Δ(α₀).
pub(super) fn ln_pdf(alpha: &[f64], total: f64, t: &[f64]) -> f64 {
    let mut excess = NeumaierSum::new();
    excess.push(-1.0);
    let mut sum = 0.0;
    for (&a, &x) in alpha.iter().zip(t) {
        excess.push(x);
        sum += if x == 0.0 {
            match a.total_cmp(&1.0) {
                std::cmp::Ordering::Less => f64::INFINITY,
                std::cmp::Ordering::Equal => total.ln(),
                std::cmp::Ordering::Greater => return f64::NEG_INFINITY,
            }
        } else if a >= LARGE && total * x >= f64::MIN_POSITIVE {
            0.5 * (a / TAU).ln() - x.ln() - stirling_remainder(a) - poisson_deviance(a, total * x)
        } else {
            (a - 1.0) * x.ln() + a * total.ln() - ln_gamma(a) - total * x
        };
    }
    sum + total * excess.value() + 0.5 * (TAU / total).ln() + stirling_remainder(total)
}

/// Σ (E ln t_k - ½ ln α_k + Δ(α_k) - α_k Δ'(α_k)) + (K - 1)/2 (1 + ln 2π) + ½ ln α₀ - Δ(α₀) + α₀ Δ'(α₀).
pub(super) fn entropy(alpha: &[f64], total: f64, expected_ln: &[f64]) -> f64 {
    let rest = |a: f64| stirling_remainder(a) - a * stirling_remainder_derivative(a) - 0.5 * a.ln();
    let cells: f64 = alpha.iter().zip(expected_ln).map(|(&a, expected_ln)| expected_ln + rest(a)).sum();
    cells - rest(total) + 0.5 * (alpha.len() as f64 - 1.0) * (1.0 + TAU.ln())
}

/// The Bregman divergence of Σ ln Γ(α_k) - ln Γ(α₀): Σ D(β_k; β₀ α_k / α₀), and what ln Γ has beyond its
/// deviance.
pub(super) fn kl_divergence([p, q]: [&[f64]; 2], [total_p, total_q]: [f64; 2]) -> f64 {
    let cell = |(&a, &b): (&f64, &f64)| poisson_deviance(b, total_q * (a / total_p)) + beyond_deviance(b, a);
    p.iter().zip(q).map(cell).sum::<f64>() - beyond_deviance(total_q, total_p)
}
