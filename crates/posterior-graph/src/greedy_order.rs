//! Greedy elimination orders: always the variable next that costs least now.

mod elimination_game;
mod logarithm;
mod neighbour_lists;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::adjacency::Adjacency;
use crate::cells::check_states;
use crate::marks::Marks;
use crate::{EliminationOrder, Error, UnGraph, VarId};
use elimination_game::{EliminationGame, Taste};

/// Surcharges of blurred scores are below this, in 256ths.
const LARGEST_SURCHARGE: u32 = 64;

/// What a greedy elimination order makes least at each step.
///
/// Each first eliminates variables whose neighbours are all joined already, which is never wrong. No rule is
/// best for all graphs: [`best_order`](crate::best_order) tries several.
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
pub struct GreedyOptions {
    /// What is made least.
    pub heuristic: Heuristic,
    /// What decides between equals.
    pub ties: Ties,
    /// Variables that come after all others: the targets of a query, or the maximised ones of a marginal MAP
    /// query.
    pub last: Vec<VarId>,
}

/// A greedy elimination order of `graph`, whose variable i has `states[i]` states (1 if it is observed; 2 for
/// all if only the structure counts).
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
    let variant = match options.ties {
        Ties::ById => Variant::Plain,
        Ties::Seeded(seed) => Variant::RandomTies(seed),
    };
    Ok(greedy(graph.adjacency(), states, options.heuristic, variant, &late))
}

/// [`greedy_order`] without names, for numbers of states and late variables that were checked.
pub(crate) fn greedy(
    graph: &Adjacency,
    states: &[usize],
    heuristic: Heuristic,
    variant: Variant,
    late: &Marks,
) -> EliminationOrder {
    let taste = match variant {
        Variant::Plain => by_id(graph.len()),
        Variant::RandomTies(seed) => seeded(graph.len(), seed, 0),
        Variant::Blurred(seed) => seeded(graph.len(), seed, LARGEST_SURCHARGE),
    };
    EliminationGame::new(graph, states, heuristic).play(&taste, late)
}

/// How far an order may stray from the heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Not at all: the least id among equals.
    Plain,
    /// Random ties, by this seed.
    RandomTies(u64),
    /// As these, and each variable's scores are a quarter higher at most.
    Blurred(u64),
}

fn by_id(n: usize) -> Taste {
    Taste { ties: (0..n as u32).collect(), surcharges: vec![0; n] }
}

/// Random ties, and surcharges below `most`.
fn seeded(n: usize, seed: u64, most: u32) -> Taste {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let ties: Vec<u32> = (0..n).map(|_| rng.random()).collect();
    let surcharge = |number: u32| ((u64::from(number) * u64::from(most)) >> 32) as u8;
    let surcharges = (0..n).map(|_| surcharge(rng.random())).collect();
    Taste { ties, surcharges }
}
