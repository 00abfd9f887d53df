//! Undirected graphs: the structure of Markov random fields.

use crate::adjacency::Adjacency;
use crate::dag::check_pairs;
use crate::{Error, Names, VarId};

/// An undirected graph over named variables, without loops and parallel edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnGraph {
    names: Names,
    neighbours: Adjacency,
}

impl UnGraph {
    /// Variables with these names, and edges in either direction; an edge that comes twice counts once. O(n +
    /// m log m).
    ///
    /// # Errors
    /// A variable that does not exist, or an edge from a variable to itself.
    pub fn new(names: Names, edges: impl IntoIterator<Item = (VarId, VarId)>) -> Result<Self, Error> {
        let pairs: Vec<(VarId, VarId)> = edges.into_iter().collect();
        check_pairs(&names, &pairs)?;
        Ok(Self::of_valid(names, pairs))
    }

    /// As [`UnGraph::new`], for edges of which it is known that they join different variables of `names`.
    pub(crate) fn of_valid(names: Names, mut pairs: Vec<(VarId, VarId)>) -> Self {
        pairs.extend_from_within(..);
        let half = pairs.len() / 2;
        for (a, b) in &mut pairs[half..] {
            std::mem::swap(a, b);
        }
        Self { neighbours: Adjacency::new(names.len(), &pairs), names }
    }

    /// Variables and edges by their names.
    ///
    /// # Errors
    /// As [`UnGraph::new`], and names that are empty, come twice or are unknown.
    pub fn named<'n, 'e>(
        names: impl IntoIterator<Item = &'n str>,
        edges: impl IntoIterator<Item = (&'e str, &'e str)>,
    ) -> Result<Self, Error> {
        let names = Names::new(names)?;
        let edges: Vec<(VarId, VarId)> = edges
            .into_iter()
            .map(|(a, b)| Ok((names.require(a)?, names.require(b)?)))
            .collect::<Result<_, Error>>()?;
        Self::new(names, edges)
    }

    /// The lists of neighbours.
    pub(crate) const fn adjacency(&self) -> &Adjacency {
        &self.neighbours
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the variables.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// All variables, in the order of their ids.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = VarId> + DoubleEndedIterator + use<> {
        (0..self.len()).map(VarId::new)
    }

    /// The neighbours of `v`, sorted: its Markov blanket.
    #[track_caller]
    pub fn neighbours(&self, v: VarId) -> &[VarId] {
        self.neighbours.of(v)
    }

    /// Whether `a` and `b` are joined, O(log degree).
    #[track_caller]
    pub fn has_edge(&self, a: VarId, b: VarId) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.neighbours.pairs() / 2
    }

    /// All edges `(a, b)` with a < b, sorted.
    pub fn edges(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.variables()
            .flat_map(|a| self.neighbours(a).iter().filter(move |&&b| a < b).map(move |&b| (a, b)))
    }
}
