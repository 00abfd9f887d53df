//! What can be said of regret before a game.
//!
//! ```
//! use posterior_decision::bandit::theory::{lai_robbins, pseudo_regret, ucb1_bound};
//!
//! assert!((pseudo_regret(&[0.9, 0.6], &[90, 10])? - 3.0).abs() < 1e-14);
//! // No policy that is good everywhere does better than 0.96 ln n here; UCB1 does not do worse than 247 in
//! // 10,000 plays.
//! assert!((lai_robbins(&[0.9, 0.6])? - 0.9638904791714).abs() < 1e-12);
//! assert!((ucb1_bound(&[0.9, 0.6], 10_000)? - 246.896037026).abs() < 1e-9);
//! # Ok::<(), posterior_decision::Error>(())
//! ```

use std::f64::consts::PI;

use posterior_math::check;

use crate::Error;
use crate::concentration::bernoulli_divergence;

/// What was lost by not playing the best arm always: Σ_k T_k (max μ - μ_k), by the expectations of the
/// rewards, not by their luck.
///
/// # Errors
/// If there is no arm, a mean is not finite, or there is not a number of plays for each arm.
pub fn pseudo_regret(means: &[f64], plays: &[u64]) -> Result<f64, Error> {
    check::dimension("plays of arms", means.len(), plays.len())?;
    for (arm, &mean) in means.iter().enumerate() {
        check::finite("pseudo_regret", "mean", mean).map_err(|error| error.at(arm))?;
    }
    let best = best(means)?;
    Ok(means.iter().zip(plays).map(|(mean, &plays)| plays as f64 * (best - mean)).sum())
}

/// The constant of Lai and Robbins for arms of zeros and ones: Σ Δ_k/KL(μ_k‖μ*) over the arms that are not
/// best.
///
/// The expected regret of every policy whose regret is o(nᵃ) for all a > 0 and all means is at least this
/// times ln n, in the limit (Lai and Robbins, Advances in Applied Mathematics 6, 1985). 0 where the best mean
/// is 1 or all are equal. It says nothing of small n: curves of good policies may lie below it.
///
/// # Errors
/// If there is no arm, or a mean is not in [0, 1].
pub fn lai_robbins(means: &[f64]) -> Result<f64, Error> {
    let best = best_probability(means)?;
    Ok(means
        .iter()
        .filter(|&&mean| mean < best)
        .map(|&mean| (best - mean) / bernoulli_divergence(mean, best))
        .sum())
}

/// What the expected regret of UCB1 never exceeds after n plays: 8 Σ ln n/Δ_k + (1 + π²/3) Σ Δ_k (Auer,
/// Cesa-Bianchi and Fischer, 2002, theorem 1), for any rewards in [0, 1].
///
/// # Errors
/// If there is no arm, a mean is not in [0, 1], or n is 0.
pub fn ucb1_bound(means: &[f64], plays: u64) -> Result<f64, Error> {
    let best = best_probability(means)?;
    check::at_least_one("ucb1_bound", "plays", plays)?;
    let gaps = means.iter().map(|mean| best - mean).filter(|&gap| gap > 0.0);
    let ln_plays = (plays as f64).ln();
    Ok(gaps.map(|gap| 8.0 * ln_plays / gap + (1.0 + PI * PI / 3.0) * gap).sum())
}

/// About how large a proportion of n plays the best of K arms gets, if the others get ln n each: (n - K ln
/// n)/n, at least 0.
///
/// # Errors
/// If n or K is 0.
pub fn proportion_of_best(arms: usize, plays: u64) -> Result<f64, Error> {
    check::at_least_one("proportion_of_best", "arms", arms)?;
    check::at_least_one("proportion_of_best", "plays", plays)?;
    let n = plays as f64;
    Ok((1.0 - arms as f64 * n.ln() / n).max(0.0))
}

fn best_probability(means: &[f64]) -> Result<f64, Error> {
    for (arm, &mean) in means.iter().enumerate() {
        check::probability("bandit", "mean", mean).map_err(|error| error.at(arm))?;
    }
    best(means)
}

fn best(means: &[f64]) -> Result<f64, Error> {
    check::at_least_one("bandit", "arms", means.len())?;
    Ok(means.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
