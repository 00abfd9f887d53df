//! Junction trees, also called clique trees: the cliques of a chordal graph, joined so that each variable's
//! cliques hang together.

mod build;
mod find;
mod schedule;

pub use schedule::RootedCliqueTree;

use crate::adjacency::Adjacency;
use crate::cells::{cells, check_states};
use crate::var_lists::VarLists;
use crate::{EliminationOrder, Error, Names, UnGraph, VarId, triangulate};

/// A junction tree, also called clique tree, or a forest of them if the graph is not connected: components
/// are never joined.
///
/// It has the running intersection property, because the constructor looked: the cliques that hold a variable
/// are connected, so that what two cliques share is in all cliques and separators between them. Cliques and
/// edges are numbers from 0. All junction trees of a chordal graph have the same separators, equally often
/// (Ho & Lee 1989).
///
/// ```
/// use posterior_graph::{CliqueTree, GreedyOptions, UnGraph, greedy_order};
///
/// let student = UnGraph::named(
///     ["difficulty", "intelligence", "grade", "sat"],
///     [("difficulty", "intelligence"), ("difficulty", "grade"), ("intelligence", "grade"), ("intelligence", "sat")],
/// )?;
/// let order = greedy_order(&student, &[2, 2, 3, 2], &GreedyOptions::default())?;
/// let tree = CliqueTree::new(&student, &order)?;
/// assert_eq!((tree.clique_count(), tree.edge_count(), tree.width()), (2, 1, 2));
/// assert_eq!(tree.separator(0), [student.names().require("intelligence")?]);
/// assert_eq!(tree.cells(&[2, 2, 3, 2])?.total(), 2 * 2 * 3 + 2 * 2);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliqueTree {
    names: Names,
    cliques: VarLists,
    /// The ends of each edge.
    edges: Vec<(usize, usize)>,
    separators: VarLists,
    /// The edges at each clique, as ids.
    incident: Adjacency,
    /// The cliques that hold each variable, as ids.
    holders: Adjacency,
}

impl CliqueTree {
    /// The junction tree of `graph` after fill-in along `order`. See [`triangulate`] for the cost.
    ///
    /// # Errors
    /// An order of another number of variables.
    pub fn new(graph: &UnGraph, order: &EliminationOrder) -> Result<Self, Error> {
        Ok(triangulate(graph, order)?.clique_tree())
    }

    /// The names of the variables.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.names.len()
    }

    /// The number of cliques.
    pub fn clique_count(&self) -> usize {
        self.cliques.len()
    }

    /// The variables of clique `c`, sorted.
    #[track_caller]
    pub fn clique(&self, c: usize) -> &[VarId] {
        self.cliques.row(c)
    }

    /// All cliques, by their numbers.
    pub fn cliques(&self) -> impl ExactSizeIterator<Item = &[VarId]> {
        self.cliques.iter()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The two cliques that edge `e` joins, the lesser number first.
    #[track_caller]
    pub fn edge(&self, e: usize) -> (usize, usize) {
        self.edges[e]
    }

    /// What the two cliques of edge `e` share, sorted; never empty.
    #[track_caller]
    pub fn separator(&self, e: usize) -> &[VarId] {
        self.separators.row(e)
    }

    /// The edges at clique `c`, each with the clique at its other end.
    #[track_caller]
    pub fn edges_at(&self, c: usize) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.incident.of(VarId::new(c)).iter().map(move |edge| {
            let (a, b) = self.edges[edge.index()];
            (edge.index(), if a == c { b } else { a })
        })
    }

    /// The cliques that hold `v`, sorted.
    #[track_caller]
    pub fn cliques_of(&self, v: VarId) -> impl ExactSizeIterator<Item = usize> {
        self.holders.of(v).iter().map(|c| c.index())
    }

    /// The number of trees: one for each component of the graph.
    pub fn tree_count(&self) -> usize {
        self.cliques.len() - self.edges.len()
    }

    /// The size of the largest clique, less one; 0 if there is no variable.
    pub fn width(&self) -> usize {
        self.cliques().map(<[VarId]>::len).max().unwrap_or(1) - 1
    }

    /// The sizes of the tables over the cliques and separators if variable i has `states[i]` states.
    ///
    /// # Errors
    /// Numbers of states that are not one for each variable, or zero.
    pub fn cells(&self, states: &[usize]) -> Result<TreeCells, Error> {
        check_states(&self.names, states)?;
        Ok(TreeCells {
            cliques: self.cliques.iter().map(|clique| cells(clique, states)).collect(),
            separators: self.separators.iter().map(|separator| cells(separator, states)).collect(),
        })
    }
}

/// The numbers of cells of the tables over cliques and separators, saturating: known before any table is
/// made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeCells {
    /// Of each clique.
    pub cliques: Vec<u128>,
    /// Of each separator, by the numbers of the edges.
    pub separators: Vec<u128>,
}

impl TreeCells {
    /// Of all cliques together: what a propagation costs in time.
    pub fn total(&self) -> u128 {
        self.cliques.iter().fold(0, |sum, &cells| sum.saturating_add(cells))
    }

    /// Of the largest clique; 0 if there is none.
    pub fn largest(&self) -> u128 {
        self.cliques.iter().copied().max().unwrap_or(0)
    }
}
