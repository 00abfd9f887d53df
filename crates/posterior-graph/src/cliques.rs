//! Maximal cliques, one after the other.

use crate::{UnGraph, VarId};

impl UnGraph {
    /// All maximal cliques, each sorted, one after the other: there can be 3^(n/3) of them, and none is kept.
    ///
    /// Bron and Kerbosch (1973) with the pivot of Tomita, Tanaka & Takahashi (2006), begun at each variable
    /// in degeneracy order (Eppstein, Löffler & Strash 2010): all cliques in O(d n 3^(d/3)) but for
    /// logarithms, if every subgraph has a variable with at most d neighbours. A variable without neighbours
    /// is a clique.
    ///
    /// ```
    /// use posterior_graph::UnGraph;
    ///
    /// let graph = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])?;
    /// let mut sizes: Vec<usize> = graph.maximal_cliques().map(|clique| clique.len()).collect();
    /// sizes.sort();
    /// assert_eq!(sizes, [2, 3]);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    pub fn maximal_cliques(&self) -> MaximalCliques<'_> {
        let order = degeneracy_order(self);
        let mut positions = vec![0; order.len()];
        for (position, v) in order.iter().enumerate() {
            positions[v.index()] = position;
        }
        MaximalCliques { graph: self, order, positions, begun: 0, clique: Vec::new(), stack: Vec::new() }
    }
}

/// The maximal cliques of a graph: see [`UnGraph::maximal_cliques`].
#[derive(Debug, Clone)]
pub struct MaximalCliques<'a> {
    graph: &'a UnGraph,
    order: Vec<VarId>,
    positions: Vec<usize>,
    /// How many variables of `order` have been the first of a clique.
    begun: usize,
    /// What the branches on the stack have in common, and one variable of each.
    clique: Vec<VarId>,
    stack: Vec<Branch>,
}

/// The extensions of a clique.
#[derive(Debug, Clone)]
struct Branch {
    /// Variables joined to the whole clique that extend it to cliques not seen yet.
    candidates: Vec<VarId>,
    /// Variables joined to the whole clique whose cliques have all been seen.
    done: Vec<VarId>,
    /// The candidates that are not joined to the pivot: every maximal clique has one of them, or the pivot.
    to_try: Vec<VarId>,
}

impl Iterator for MaximalCliques<'_> {
    type Item = Vec<VarId>;

    fn next(&mut self) -> Option<Vec<VarId>> {
        loop {
            let (candidates, done) = match self.stack.last_mut() {
                None => self.begin()?,
                Some(branch) => match branch.to_try.pop() {
                    None => {
                        self.stack.pop();
                        self.clique.pop();
                        continue;
                    }
                    Some(v) => {
                        self.clique.push(v);
                        let joined = |set: &[VarId]| joined(self.graph, v, set);
                        let next = (joined(&branch.candidates), joined(&branch.done));
                        branch.candidates.retain(|&w| w != v);
                        branch.done.push(v);
                        next
                    }
                },
            };
            if let Some(clique) = self.descend(candidates, done) {
                return Some(clique);
            }
        }
    }
}

impl MaximalCliques<'_> {
    /// The cliques whose first variable in degeneracy order is the next one.
    fn begin(&mut self) -> Option<(Vec<VarId>, Vec<VarId>)> {
        let &v = self.order.get(self.begun)?;
        self.clique.push(v);
        let is_later = |w: &&VarId| self.positions[w.index()] > self.begun;
        let (later, earlier) = self.graph.neighbours(v).iter().partition(is_later);
        self.begun += 1;
        Some((later, earlier))
    }

    /// Opens a branch below the clique, or returns it if nothing is joined to all of it.
    fn descend(&mut self, candidates: Vec<VarId>, done: Vec<VarId>) -> Option<Vec<VarId>> {
        let found = (candidates.is_empty() && done.is_empty()).then(|| {
            let mut clique = self.clique.clone();
            clique.sort_unstable();
            clique
        });
        if candidates.is_empty() {
            self.clique.pop();
            return found;
        }
        let reach = |&&v: &&VarId| candidates.iter().filter(|&&w| self.graph.has_edge(v, w)).count();
        let pivot = candidates.iter().chain(&done).max_by_key(reach).copied();
        let far = |w: &VarId| !pivot.is_some_and(|pivot| self.graph.has_edge(pivot, *w));
        let to_try = candidates.iter().rev().copied().filter(far).collect();
        self.stack.push(Branch { candidates, done, to_try });
        found
    }
}

/// The members of `set` that are joined to `v`.
fn joined(graph: &UnGraph, v: VarId, set: &[VarId]) -> Vec<VarId> {
    set.iter().copied().filter(|&w| graph.has_edge(v, w)).collect()
}

/// All variables, each having as few neighbours as possible among those that come later (Matula & Beck 1983).
/// O(V + E).
fn degeneracy_order(graph: &UnGraph) -> Vec<VarId> {
    let mut degrees: Vec<usize> = graph.variables().map(|v| graph.neighbours(v).len()).collect();
    let mut buckets: Vec<Vec<VarId>> = vec![Vec::new(); graph.len()];
    for v in graph.variables().rev() {
        buckets[degrees[v.index()]].push(v);
    }
    let mut taken = vec![false; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    let mut least = 0;
    while order.len() < graph.len() {
        let Some(v) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        // A variable stays behind in the buckets of the degrees that it had, all above the one in which it is
        // found.
        if std::mem::replace(&mut taken[v.index()], true) {
            continue;
        }
        order.push(v);
        for &w in graph.neighbours(v).iter().filter(|w| !taken[w.index()]) {
            degrees[w.index()] -= 1;
            buckets[degrees[w.index()]].push(w);
        }
        least = least.saturating_sub(1);
    }
    order
}
