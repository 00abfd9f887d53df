//! Chordal graphs: maximum cardinality search, perfect elimination orders, and a hole where there is one.

use std::collections::VecDeque;

use crate::adjacency::Adjacency;
use crate::{EliminationOrder, Error, UnGraph, VarId};

/// Whether each circle of more than three variables has a chord.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chordality {
    /// Yes: eliminating the variables in this order adds no edge.
    Chordal(EliminationOrder),
    /// No: these four or more variables lie on a circle, each joined to the next and the last to the first,
    /// and there is no other edge among them.
    Hole(Vec<VarId>),
}

impl Chordality {
    /// Whether the graph is chordal.
    pub const fn is_chordal(&self) -> bool {
        matches!(self, Self::Chordal(_))
    }
}

/// Tests whether `graph` is chordal, by maximum cardinality search (Tarjan & Yannakakis 1984): O(n + m). A
/// hole takes O(n) searches of the graph at most.
///
/// ```
/// use posterior_graph::{Chordality, UnGraph, chordality};
///
/// let voters = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])?;
/// let Chordality::Hole(hole) = chordality(&voters) else { unreachable!("it is a circle of four") };
/// assert_eq!(hole.len(), 4);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
pub fn chordality(graph: &UnGraph) -> Chordality {
    let order = max_cardinality_order(graph);
    match last_imperfect(graph, &order) {
        None => Chordality::Chordal(order),
        Some(v) => Chordality::Hole(hole_through(graph, &order, v)),
    }
}

/// Whether eliminating the variables in this order adds no edge. O(n + m).
///
/// # Errors
/// An order of another number of variables.
pub fn is_perfect(graph: &UnGraph, order: &EliminationOrder) -> Result<bool, Error> {
    order.check_len(graph)?;
    Ok(last_imperfect(graph, order).is_none())
}

/// Maximum cardinality search, backwards: the variable that is eliminated last comes first (the least id),
/// and before it always one with most neighbours among those found so far, the most recent one among equals.
/// O(n + m).
///
/// This order is perfect if any is. As a heuristic for other graphs it is worse than
/// [`greedy_order`](crate::greedy_order).
pub fn max_cardinality_order(graph: &UnGraph) -> EliminationOrder {
    max_cardinality(graph.adjacency())
}

/// [`max_cardinality_order`] without names.
pub(crate) fn max_cardinality(graph: &Adjacency) -> EliminationOrder {
    let n = graph.len();
    let mut found_neighbours = vec![0_usize; n];
    let mut found = vec![false; n];
    // Variables by the number of their neighbours found, with old entries left in.
    let mut buckets: Vec<Vec<VarId>> = vec![(0..n).map(VarId::new).rev().collect()];
    let mut order = Vec::with_capacity(n);
    while let Some(bucket) = buckets.last_mut() {
        let Some(v) = bucket.pop() else {
            buckets.pop();
            continue;
        };
        // A variable that was found, or moved up since, is old news.
        if found[v.index()] || found_neighbours[v.index()] + 1 != buckets.len() {
            continue;
        }
        found[v.index()] = true;
        order.push(v);
        for &u in graph.of(v) {
            if !found[u.index()] {
                found_neighbours[u.index()] += 1;
                let level = found_neighbours[u.index()];
                if level == buckets.len() {
                    buckets.push(Vec::new());
                }
                buckets[level].push(u);
            }
        }
    }
    order.reverse();
    EliminationOrder::from_permutation(order)
}

/// The last variable whose later neighbours are not all joined. They are for all variables if and only if,
/// for each, they are joined to the first of them.
fn last_imperfect(graph: &UnGraph, order: &EliminationOrder) -> Option<VarId> {
    let mut joined_to = vec![None; graph.len()];
    order.as_slice().iter().copied().rev().find(|&v| {
        let later = || graph.neighbours(v).iter().copied().filter(|&u| order.position(u) > order.position(v));
        let Some(first) = later().min_by_key(|&u| order.position(u)) else { return false };
        for &u in graph.neighbours(first) {
            joined_to[u.index()] = Some(v);
        }
        later().any(|u| u != first && joined_to[u.index()] != Some(v))
    })
}

/// A hole through `v`, of which maximum cardinality search says that it is the first one not perfect. What
/// was found before it is chordal, and is not with it: so a hole leads through it, which leaves it by two
/// neighbours that are not joined and avoids all others.
fn hole_through(graph: &UnGraph, order: &EliminationOrder, v: VarId) -> Vec<VarId> {
    let later = |u: VarId| order.position(u) > order.position(v);
    let mut starts = graph.neighbours(v).iter().copied().filter(|&u| later(u));
    starts.find_map(|start| path_around(graph, v, start, later)).unwrap_or_default()
}

/// `v` and a shortest path from `start` to a neighbour of `v` that is not joined to `start`, through none of
/// v's neighbours.
fn path_around(
    graph: &UnGraph,
    v: VarId,
    start: VarId,
    allowed: impl Fn(VarId) -> bool,
) -> Option<Vec<VarId>> {
    let mut from: Vec<Option<VarId>> = vec![None; graph.len()];
    from[start.index()] = Some(v);
    let mut open = VecDeque::from([start]);
    while let Some(u) = open.pop_front() {
        for &w in graph.neighbours(u) {
            if w == v || !allowed(w) || from[w.index()].is_some() {
                continue;
            }
            if !graph.has_edge(v, w) {
                from[w.index()] = Some(u);
                open.push_back(w);
            } else if u != start && !graph.has_edge(start, w) {
                let mut path = vec![w];
                let mut end = u;
                while end != v {
                    path.push(end);
                    end = from[end.index()]?;
                }
                path.push(v);
                return Some(path);
            }
        }
    }
    None
}
