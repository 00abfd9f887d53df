//! The Markov properties as lists of statements.
//!
//! Pairwise, local and global differ in what they say at first sight. For a directed graph the local
//! statements imply the global ones in every distribution; for an undirected one they do in every positive
//! distribution (Lauritzen 1996, *Graphical Models*, theorem 3.7), and a distribution with zeros can satisfy
//! the weaker and not the stronger. The global statements are [`Dag::independencies`] and
//! [`UnGraph::independencies`].

use crate::marks::Marks;
use crate::{Dag, Independence, UnGraph, VarId};

impl Dag {
    /// For each variable: independent of everything that is not below it, given its parents. A variable of
    /// which that says nothing has no statement. O(V (V + E)).
    ///
    /// They imply all that the graph claims, in every distribution.
    pub fn local_independencies(&self) -> Vec<Independence> {
        let statement = |v: VarId| {
            let given = self.parents(v).to_vec();
            let above: Vec<VarId> =
                self.not_below(v).into_iter().filter(|w| given.binary_search(w).is_err()).collect();
            (!above.is_empty()).then(|| Independence::of_sorted(vec![v], above, given))
        };
        self.variables().filter_map(statement).collect()
    }

    /// For each variable and each that is neither below it nor a parent: independent given all others that
    /// are not below the first. O(V² (V + E)) at most.
    pub fn pairwise_independencies(&self) -> Vec<Independence> {
        let mut statements = Vec::new();
        for v in self.variables() {
            let above = self.not_below(v);
            for &w in above.iter().filter(|&&w| !self.has_arrow(w, v)) {
                let given = above.iter().copied().filter(|&u| u != w).collect();
                statements.push(Independence::of_sorted(vec![v], vec![w], given));
            }
        }
        statements.sort_unstable();
        statements.dedup();
        statements
    }

    /// All variables to which no arrows lead from `v`, without `v`, sorted.
    fn not_below(&self, v: VarId) -> Vec<VarId> {
        let mut start = Marks::none(self.len());
        start.insert(v);
        start.close(|w| self.children(w)).complement()
    }
}

impl UnGraph {
    /// For each variable: independent of everything else given its neighbours. A variable that is joined to
    /// all others has no statement. O(V²).
    pub fn local_independencies(&self) -> Vec<Independence> {
        let statement = |v: VarId| {
            let given = self.neighbours(v).to_vec();
            let others: Vec<VarId> =
                self.variables().filter(|&w| w != v && given.binary_search(&w).is_err()).collect();
            (!others.is_empty()).then(|| Independence::of_sorted(vec![v], others, given))
        };
        self.variables().filter_map(statement).collect()
    }

    /// For each two variables that are not joined: independent given all others. O(V³).
    pub fn pairwise_independencies(&self) -> Vec<Independence> {
        let statement = |(a, b): (VarId, VarId)| {
            let given = self.variables().filter(|&v| v != a && v != b).collect();
            Independence::of_sorted(vec![a], vec![b], given)
        };
        let pairs = self.variables().flat_map(|a| self.variables().skip(a.index() + 1).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| !self.has_edge(a, b)).map(statement).collect()
    }
}
