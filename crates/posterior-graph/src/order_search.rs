//! The best of several greedy elimination orders, part by part.

mod parts;

use crate::adjacency::Adjacency;
use crate::cells::check_states;
use crate::chordality::max_cardinality;
use crate::greedy_order::{Heuristic, Variant, greedy};
use crate::marks::Marks;
use crate::triangulation::{fill_edges, total_cells, triangulate_checked};
use crate::{EliminationOrder, Error, UnGraph, VarId};
use parts::{Part, parts};

/// What a greedy order costs for each variable, in cells of a table that is propagated: measured.
const CELLS_PER_VARIABLE: u128 = 200;

/// What [`best_order`] tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// These heuristics, after min-fill, in this order.
    pub heuristics: Vec<Heuristic>,
    /// How often each is run again at most: with random ties, and every other time with scores that are
    /// blurred a little.
    pub restarts: usize,
    /// What the search may cost, in hundredths of one propagation along the best order found so far: 25 is
    /// right for one query, and 100 times as much for an order that serves a hundred.
    pub effort: u32,
    /// Decides what is random.
    pub seed: u64,
    /// Variables that come after all others, as in [`GreedyOptions`](crate::GreedyOptions).
    pub last: Vec<VarId>,
}

impl Default for SearchOptions {
    /// Four heuristics that differ, as many restarts as pay for one query.
    fn default() -> Self {
        Self {
            heuristics: vec![
                Heuristic::MinFill,
                Heuristic::WeightedMinFill,
                Heuristic::MinWeight,
                Heuristic::MinMessage,
            ],
            restarts: 100,
            effort: 25,
            seed: 0,
            last: Vec::new(),
        }
    }
}

/// The best order that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestOrder {
    /// The order.
    pub order: EliminationOrder,
    /// The cells of all maximal cliques of its triangulation, saturating.
    pub cells: u128,
    /// The number of greedy orders that were tried, of the graph or of one of its parts.
    pub tries: usize,
}

/// Tries greedy orders by several heuristics with random ties, for few cells in all maximal cliques together.
/// `states` as in [`greedy_order`](crate::greedy_order).
///
/// The graph falls into parts at cliques that separate it, each of which has its own best order (Tarjan
/// 1985); parts that need no fill are done. The search ends where it would cost more than it can save: see
/// [`SearchOptions::effort`]. It depends on the seed, and not on the time it takes.
///
/// ```
/// use posterior_graph::{SearchOptions, UnGraph, best_order};
///
/// let ring = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])?;
/// // The chord goes between the variables with few states: two tables of 2 * 9 * 2 cells.
/// assert_eq!(best_order(&ring, &[9, 2, 9, 2], &SearchOptions {
///     effort: 100_000,
///     ..SearchOptions::default()
/// })?.cells, 72);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
///
/// # Errors
/// As [`greedy_order`](crate::greedy_order).
pub fn best_order(graph: &UnGraph, states: &[usize], options: &SearchOptions) -> Result<BestOrder, Error> {
    check_states(graph.names(), states)?;
    let late = Marks::of(graph.names(), &options.last)?;
    let order = greedy(graph.adjacency(), states, Heuristic::MinFill, Variant::Plain, &late);
    Ok(if options.last.is_empty() {
        by_parts(graph, states, options, order)
    } else {
        whole(graph, states, options, order, &late)
    })
}

/// Variables that must come last tie all parts together.
fn whole(
    graph: &UnGraph,
    states: &[usize],
    options: &SearchOptions,
    order: EliminationOrder,
    late: &Marks,
) -> BestOrder {
    let mut search = Search {
        graph: graph.adjacency(),
        states,
        cells: total_cells(graph.adjacency(), &order, states),
        order: None,
        tries: 1,
    };
    search.run(options, late);
    BestOrder { order: search.order.unwrap_or(order), cells: search.cells, tries: search.tries }
}

fn by_parts(
    graph: &UnGraph,
    states: &[usize],
    options: &SearchOptions,
    order: EliminationOrder,
) -> BestOrder {
    let first = triangulate_checked(graph, &order);
    let mut tries = 1;
    let mut better = false;
    let mut edges: Vec<(VarId, VarId)> = graph.edges().collect();
    for Part { variables, cells, fill } in parts(&first, states) {
        let (local, local_states) = restrict(graph, &variables, states);
        let mut search = Search { graph: &local, states: &local_states, cells, order: None, tries: 0 };
        search.run(options, &Marks::none(variables.len()));
        tries += search.tries;
        match search.order {
            None => edges.extend(fill),
            Some(order) => {
                better = true;
                let global = |(a, b): (VarId, VarId)| (variables[a.index()], variables[b.index()]);
                edges.extend(fill_edges(&local, &order).into_iter().map(global));
            }
        }
    }
    let cells = total_cells(graph.adjacency(), &order, states);
    let before = BestOrder { order, cells, tries };
    if !better {
        return before;
    }
    edges.extend_from_within(..);
    let half = edges.len() / 2;
    for (a, b) in &mut edges[half..] {
        std::mem::swap(a, b);
    }
    let order = max_cardinality(&Adjacency::new(graph.len(), &edges));
    let cells = total_cells(graph.adjacency(), &order, states);
    // The order may need less fill than the parts had. Where variables have one state, that can even cost
    // cells.
    if cells < before.cells { BestOrder { order, cells, tries } } else { before }
}

/// The graph among some variables, which are numbered from 0, and their numbers of states.
fn restrict(graph: &UnGraph, variables: &[VarId], states: &[usize]) -> (Adjacency, Vec<usize>) {
    let mut pairs = Vec::new();
    for (i, &v) in variables.iter().enumerate() {
        for u in graph.neighbours(v) {
            if let Ok(j) = variables.binary_search(u) {
                pairs.push((VarId::new(i), VarId::new(j)));
            }
        }
    }
    let states = variables.iter().map(|v| states[v.index()]).collect();
    (Adjacency::new(variables.len(), &pairs), states)
}

/// A search for an order of a graph with fewer cells than are known to do.
struct Search<'a> {
    graph: &'a Adjacency,
    states: &'a [usize],
    /// The fewest cells known, and an order that reaches them if it was found here.
    cells: u128,
    order: Option<EliminationOrder>,
    tries: usize,
}

impl Search<'_> {
    fn run(&mut self, options: &SearchOptions, late: &Marks) {
        let cost = CELLS_PER_VARIABLE * self.graph.len() as u128 * 100;
        let mut spent = 0_u128;
        for round in 0..=options.restarts {
            for &heuristic in &options.heuristics {
                spent += cost;
                if spent > self.cells.saturating_mul(u128::from(options.effort)) {
                    return;
                }
                let order = greedy(self.graph, self.states, heuristic, variant(options.seed, round), late);
                let cells = total_cells(self.graph, &order, self.states);
                self.tries += 1;
                if cells < self.cells {
                    self.cells = cells;
                    self.order = Some(order);
                }
            }
        }
    }
}

/// Every other restart blurs the scores too: some graphs need it, for others it is a waste.
fn variant(seed: u64, round: usize) -> Variant {
    let seed = seed.wrapping_add(round as u64);
    match round {
        0 => Variant::Plain,
        _ if round % 2 == 1 => Variant::RandomTies(seed),
        _ => Variant::Blurred(seed),
    }
}
