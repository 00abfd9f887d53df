//! What is said of draws of an approximation: their summary, and k-hat with what to do.

use crate::output::significant;
use posterior::sampling::diagnostics::{ChainSummary, Warning};
use posterior::sampling::importance::SmoothedWeights;
use serde::Serialize;

use crate::json::Number;
use crate::level::Level;
use crate::mcmc::diagnose;

/// The figures of the draws and of their weights as JSON.
#[derive(Serialize)]
pub(super) struct Output<'a, T> {
    #[serde(flatten)]
    summary: diagnose::Output<'a>,
    pareto_k: Number,
    reliable_below: Number,
    reliable: bool,
    /// How many draws of the posterior itself would tell as much.
    effective_draws: Number,
    #[serde(flatten)]
    own: T,
}

pub(super) fn output<'a, T>(
    summary: &'a ChainSummary,
    level: Level,
    smoothed: &SmoothedWeights,
    own: T,
) -> Output<'a, T> {
    Output {
        summary: diagnose::output(summary, level),
        pareto_k: Number(smoothed.shape),
        reliable_below: Number(smoothed.threshold()),
        reliable: smoothed.is_reliable(),
        effective_draws: Number(smoothed.weights.ess()),
        own,
    }
}

/// Independent draws have no second chain to be compared with.
pub(super) fn without_chains(summary: &mut ChainSummary) {
    summary.warnings.retain(|warning| !matches!(warning, Warning::OneChain));
}

/// The table, and what k-hat says.
pub(super) fn text(summary: &ChainSummary, smoothed: &SmoothedWeights) -> String {
    let (k, limit) = (significant(smoothed.shape), significant(smoothed.threshold()));
    let (count, worth) = (smoothed.weights.len(), smoothed.weights.ess());
    let verdict = if smoothed.is_reliable() {
        format!(
            "k-hat {k}, below {limit}: the draws can be used; they are taken of {count} that are worth {worth:.0} by their weights"
        )
    } else {
        format!(
            "warning: k-hat {k} is not below {limit}: the approximation misses a part of the posterior, and intervals are wrong: \
             `posterior model sample` gives the posterior itself"
        )
    };
    format!("{summary}{verdict}\n")
}
