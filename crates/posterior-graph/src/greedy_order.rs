//! Greedy elimination orders: always the variable next that costs least now.

mod elimination_graph;
mod score;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::cells::check_states;
use crate::marks::Marks;
use crate::{EliminationOrder, Error, UnGraph, VarId};
use elimination_graph::EliminationGraph;

/// What a greedy elimination order makes least at each step.
///
/// Each first eliminates variables whose neighbours are all joined already, which is never wrong. No rule is best for
/// all graphs: [`best_order`](crate::best_order) tries several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Heuristic {
    /// The number of edges added.
    #[default]
    MinFill,
    /// The edges added, each weighted with the product of the numbers of states of its ends.
    WeightedMinFill,
    /// The number of cells of the table that is made: of the variable and its neighbours (Kjærulff 1990).
    MinWeight,
    /// The number of cells of the message that is left: of its neighbours alone (Cano & Moral 1994).
    MinMessage,
    /// The number of neighbours.
    MinNeighbours,
}

/// Which of equally good variables is eliminated first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ties {
    /// The one with the least id.
    #[default]
    ById,
    /// By a random permutation, which this seed decides.
    Seeded(u64),
}

/// How [`greedy_order`] chooses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GreedyOptions {
    /// What is made least.
    pub heuristic: Heuristic,
    /// What decides between equals.
    pub ties: Ties,
    /// Variables that come after all others: the targets of a query, or the maximised ones of a marginal MAP query.
    pub last: Vec<VarId>,
}

impl GreedyOptions {
    /// With this heuristic.
    #[must_use]
    pub fn with_heuristic(mut self, heuristic: Heuristic) -> Self {
        self.heuristic = heuristic;
        self
    }

    /// With this rule for equals.
    #[must_use]
    pub fn with_ties(mut self, ties: Ties) -> Self {
        self.ties = ties;
        self
    }

    /// With these variables after all others.
    #[must_use]
    pub fn with_last(mut self, last: Vec<VarId>) -> Self {
        self.last = last;
        self
    }
}

/// A greedy elimination order of `graph`, whose variable i has `states[i]` states (1 if it is observed; 2 for all if only
/// the structure counts).
///
/// For graphs of bounded width O(n log n): fill counts are kept up to date, not counted again.
///
/// ```
/// use posterior_graph::{GreedyOptions, UnGraph, greedy_order, triangulate};
///
/// let ring = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])?;
/// let order = greedy_order(&ring, &[2; 4], &GreedyOptions::default())?;
/// assert_eq!(triangulate(&ring, &order)?.width(), 2);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
///
/// # Errors
/// Numbers of states that are not one for each variable, or zero; an unknown variable among the last ones.
pub fn greedy_order(
    graph: &UnGraph,
    states: &[usize],
    options: &GreedyOptions,
) -> Result<EliminationOrder, Error> {
    check_states(graph.names(), states)?;
    let late = Marks::of(graph.names(), &options.last)?;
    let ties = match options.ties {
        Ties::ById => (0..graph.len() as u32).collect(),
        Ties::Seeded(seed) => random_ties(graph.len(), seed),
    };
    Ok(EliminationGraph::new(graph, states, options.heuristic).eliminate_all(&ties, &late))
}

fn random_ties(n: usize, seed: u64) -> Vec<u32> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    (0..n).map(|_| rng.random()).collect()
}
