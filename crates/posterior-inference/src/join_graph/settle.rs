//! How messages are renewed until they stay, and until bounds no longer get better.

use posterior_pgm::Table;

use super::mini_buckets::MiniBuckets;
use super::passing::{Passing, Stop};

/// After how many sweeps messages should have calmed down a little.
const PATIENCE: usize = 20;

/// Steps do not get smaller than this.
const SMALLEST_STEP: f64 = 1.0 / 64.0;

/// A bound that gets better by less, relatively, is left as it is.
const WORTH: f64 = 1e-6;

/// What is read off messages that have settled, or were stopped.
pub(super) struct Settled {
    pub(super) ln_z: f64,
    pub(super) beliefs: Vec<Vec<f64>>,
    pub(super) iterations: usize,
    pub(super) converged: bool,
    pub(super) residual: f64,
}

/// Renews messages until the clusters of each bucket agree. Where they do not calm down, steps get smaller
/// and more of them are taken between tangents.
pub(super) fn settle(
    graph: &MiniBuckets,
    bases: &[Table],
    tolerance: f64,
    max_iterations: usize,
) -> Result<Settled, Stop> {
    let mut passing = Passing::new(graph, bases, vec![1.0; bases.len()]);
    let (mut step, mut inner, mut before) = (1.0, 1, f64::INFINITY);
    let (mut iterations, mut converged) = (0, graph.is_exact());
    passing.forward(0.0)?;
    let mut residual = passing.backward(0.0)?;
    let (mut least, mut moved) = (residual, passing.linearize());
    while !converged && iterations < max_iterations {
        passing.forward(step)?;
        let apart = passing.backward(step)?;
        iterations += 1;
        if iterations % inner == 0 {
            moved = passing.linearize();
        }
        residual = apart.max(moved);
        converged = residual <= tolerance;
        least = least.min(residual);
        if iterations % PATIENCE == 0 {
            let is_calmer = least <= 0.9 * before || step <= SMALLEST_STEP;
            if !is_calmer {
                (step, inner) = (step / 2.0, 2 * inner);
            }
            before = if is_calmer { least } else { f64::INFINITY };
            least = f64::INFINITY;
        }
    }
    let ln_z = passing.forward(0.0)? + passing.correction();
    Ok(Settled { ln_z, beliefs: passing.beliefs, iterations, converged, residual })
}

/// Equal weights of the clusters of each bucket, which add up to one: the sum bounds Z from above (Hölder).
pub(super) fn upper_weights(graph: &MiniBuckets) -> Vec<f64> {
    let of_bucket = |own: usize| vec![1.0 / own as f64; own];
    graph.buckets.iter().flat_map(|bucket| of_bucket(bucket.clusters.len())).collect()
}

/// One weight above one for each bucket, and −`most` for the others, which add up to one: the sum bounds Z
/// from below (Hölder's inequality the other way round).
pub(super) fn lower_weights(graph: &MiniBuckets, most: f64) -> Vec<f64> {
    let of_bucket = |own: usize| {
        let mut weights = vec![-most; own];
        weights[0] = 1.0 + most * (own as f64 - 1.0);
        weights
    };
    graph.buckets.iter().flat_map(|bucket| of_bucket(bucket.clusters.len())).collect()
}

/// The best bound within so many sweeps.
pub(super) fn bound(
    graph: &MiniBuckets,
    bases: &[Table],
    weights: Vec<f64>,
    max_iterations: usize,
) -> Result<f64, Stop> {
    let is_lower = weights.iter().any(|&weight| weight < 0.0);
    let mut passing = Passing::new(graph, bases, weights);
    let mut best = passing.forward(0.0)?;
    for _ in 1..max_iterations {
        let step = if is_lower { 0.25 } else { 1.0 };
        let next = passing.backward(step).and_then(|_| passing.forward(step));
        let next = match next {
            Ok(next) => next,
            Err(Stop::Impossible) if !is_lower => return Err(Stop::Impossible),
            Err(_) => break,
        };
        if !next.is_finite() {
            break;
        }
        let gain = if is_lower { next - best } else { best - next };
        if gain > 0.0 {
            best = next;
        }
        if gain.abs() <= WORTH * (1.0 + best.abs()) {
            break;
        }
    }
    Ok(best)
}
