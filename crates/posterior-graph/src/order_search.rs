//! The best of several greedy elimination orders.

use crate::cells::{cells, check_states};
use crate::greedy_order::{GreedyOptions, Heuristic, Ties, greedy_order};
use crate::{EliminationOrder, Error, UnGraph, VarId, triangulate};

/// What [`best_order`] tries.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// These heuristics, in this order; an empty list is min-fill alone.
    pub heuristics: Vec<Heuristic>,
    /// How often each is run again with random ties.
    pub restarts: usize,
    /// Decides the random ties.
    pub seed: u64,
    /// Variables that come after all others, as in [`GreedyOptions`].
    pub last: Vec<VarId>,
}

impl Default for SearchOptions {
    /// Four heuristics that differ, four restarts.
    fn default() -> Self {
        Self {
            heuristics: vec![
                Heuristic::MinFill,
                Heuristic::WeightedMinFill,
                Heuristic::MinWeight,
                Heuristic::MinMessage,
            ],
            restarts: 4,
            seed: 0,
            last: Vec::new(),
        }
    }
}

impl SearchOptions {
    /// With these heuristics.
    #[must_use]
    pub fn with_heuristics(mut self, heuristics: Vec<Heuristic>) -> Self {
        self.heuristics = heuristics;
        self
    }

    /// With this number of restarts of each heuristic.
    #[must_use]
    pub fn with_restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// With this seed of the random ties.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With these variables after all others.
    #[must_use]
    pub fn with_last(mut self, last: Vec<VarId>) -> Self {
        self.last = last;
        self
    }
}

/// The best order that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestOrder {
    /// The order.
    pub order: EliminationOrder,
    /// The heuristic that led to it.
    pub heuristic: Heuristic,
    /// The cells of all maximal cliques of its triangulation, saturating.
    pub cells: u128,
}

/// Greedy orders by several heuristics and random ties: the one whose maximal cliques have the fewest cells all together, the
/// first among equals. `states` as in [`greedy_order`].
///
/// # Errors
/// As [`greedy_order`].
pub fn best_order(graph: &UnGraph, states: &[usize], options: &SearchOptions) -> Result<BestOrder, Error> {
    check_states(graph.names(), states)?;
    let greedy = GreedyOptions::default().with_last(options.last.clone());
    let first = try_order(graph, states, &greedy.clone().with_heuristic(first_heuristic(options)))?;
    let mut best = first;
    for round in 0..=options.restarts {
        for (i, &heuristic) in options.heuristics.iter().enumerate() {
            if (round, i) == (0, 0) {
                continue;
            }
            let ties = match round {
                0 => Ties::ById,
                _ => Ties::Seeded(options.seed.wrapping_add(round as u64 - 1)),
            };
            let found = try_order(graph, states, &greedy.clone().with_heuristic(heuristic).with_ties(ties))?;
            if found.cells < best.cells {
                best = found;
            }
        }
    }
    Ok(best)
}

fn first_heuristic(options: &SearchOptions) -> Heuristic {
    options.heuristics.first().copied().unwrap_or_default()
}

fn try_order(graph: &UnGraph, states: &[usize], options: &GreedyOptions) -> Result<BestOrder, Error> {
    let order = greedy_order(graph, states, options)?;
    let sizes = triangulate(graph, &order)?;
    let total = sizes.cliques().fold(0_u128, |sum, clique| sum.saturating_add(cells(clique, states)));
    Ok(BestOrder { order, heuristic: options.heuristic, cells: total })
}
