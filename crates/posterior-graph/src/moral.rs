//! Moral graphs: co-parents married, arrowheads dropped.

use crate::{Dag, UnGraph, VarId};

/// Two parents of one child who are not joined themselves: `A -> C <- B`, a v-structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Immorality {
    /// The parents, the lesser id first.
    pub parents: (VarId, VarId),
    /// Their child.
    pub child: VarId,
}

impl Dag {
    /// Whether there is an arrow between the two, in either direction. O(log degree).
    #[track_caller]
    pub fn is_adjacent(&self, a: VarId, b: VarId) -> bool {
        self.has_arrow(a, b) || self.has_arrow(b, a)
    }

    /// All immoralities, sorted. O(Σ parents² log degree).
    pub fn immoralities(&self) -> Vec<Immorality> {
        let of_child = |child| {
            let unmarried = move |&(a, b): &(VarId, VarId)| !self.is_adjacent(a, b);
            couples(self.parents(child)).filter(unmarried).map(move |parents| Immorality { parents, child })
        };
        let mut immoralities: Vec<Immorality> = self.variables().flat_map(of_child).collect();
        immoralities.sort_unstable();
        immoralities
    }

    /// The moral graph: all arrows as edges, and an edge between any two parents of a child. O(Σ parents²
    /// log).
    ///
    /// Every distribution that factorises over `self` factorises over its cliques: the table of each variable
    /// lies in a clique with its parents. What separates in the moral graph d-separates; the reverse is true
    /// if and only if there are no immoralities.
    pub fn moral_graph(&self) -> UnGraph {
        let married = self.variables().flat_map(|child| couples(self.parents(child)));
        UnGraph::of_valid(self.names().clone(), self.arrows().chain(married).collect())
    }

    /// The Markov blanket of `v`: parents, children and their other parents, sorted. O(Σ family log).
    ///
    /// Given its blanket, `v` is independent of everything else, and it is the least such set for almost
    /// every distribution over
    /// the graph. What [Gibbs sampling](https://en.wikipedia.org/wiki/Gibbs_sampling) of `v` must look at.
    #[track_caller]
    pub fn markov_blanket(&self, v: VarId) -> Vec<VarId> {
        let co_parents = self.children(v).iter().flat_map(|&child| self.parents(child));
        let family = self.parents(v).iter().chain(self.children(v)).chain(co_parents);
        let mut blanket: Vec<VarId> = family.copied().filter(|&w| w != v).collect();
        blanket.sort_unstable();
        blanket.dedup();
        blanket
    }
}

/// All pairs of these, in their order.
pub(crate) fn couples(parents: &[VarId]) -> impl Iterator<Item = (VarId, VarId)> {
    parents.iter().enumerate().flat_map(move |(i, &a)| parents[i + 1..].iter().map(move |&b| (a, b)))
}
