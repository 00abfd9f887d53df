//! Draws of an approximation, weighted by the posterior, and what is said of them: their summary, and k-hat
//! with what to do.

use posterior::dist::target::{Target, Unconstrained};
use posterior::gaussian::Gaussian;
use posterior::math::bijection::{Elementwise, Identity};
use posterior::sampling::Draws;
use posterior::sampling::diagnostics::{ChainSummary, Warning};
use posterior::sampling::importance::{Resampling, SmoothedWeights, importance_sampling};
use rand::Rng;
use rand::seq::SliceRandom as _;
use serde::Serialize;

use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::level::Level;
use crate::mcmc::diagnose;
use crate::output::significant;

/// Draws of the Gaussian for one that is taken of them.
pub(super) const WEIGHTED: usize = 4;

/// Draws of a Gaussian, weighted by the posterior and drawn again: unconstrained, with the statistics of
/// CmdStan.
pub(super) fn weighted<T: Target + ?Sized>(
    target: &T,
    gaussian: &Gaussian,
    count: usize,
    rng: &mut impl Rng,
) -> Result<(Draws, SmoothedWeights), Failure> {
    let dim = target.dim();
    let gaussian = Unconstrained::new(gaussian.clone(), Elementwise::new(Identity, dim), dim);
    let gaussian = gaussian.map_err(refused)?;
    let drawn = importance_sampling(target, &gaussian, WEIGHTED * count, rng).map_err(refused)?;
    let smoothed = drawn.smoothed(1.0).map_err(refused)?;
    let weights = smoothed.weights.normalised();
    let mut places = Resampling::Systematic.indices(weights, count, rng).map_err(refused)?;
    places.shuffle(rng);
    let points: Vec<&[f64]> = drawn.points().collect();
    let (mut rows, mut statistics) = (Vec::with_capacity(dim * count), Vec::with_capacity(3 * count));
    for at in places {
        let ln_q = gaussian.ln_density(points[at]).map_err(refused)?;
        let ln_p = drawn.weights().ln()[at] + ln_q;
        rows.extend_from_slice(points[at]);
        statistics.extend([ln_p, ln_p, ln_q]);
    }
    let free = Draws::new((0..dim).map(|i| format!("x[{i}]")).collect(), vec![rows]).map_err(refused)?;
    let names = ["lp", "log_p", "log_q"].map(str::to_owned).to_vec();
    Ok((free.with_statistics(names, vec![statistics]).map_err(refused)?, smoothed))
}

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
