//! Connected components, and the graphs in which between two nodes there is one path at most.

use crate::marks::Marks;
use crate::{Dag, FactorGraph, UnGraph, VarId};

impl UnGraph {
    /// The connected components, each in the order of its ids, in the order of their least ids. O(V + E).
    pub fn components(&self) -> Vec<Vec<VarId>> {
        components(self.variables(), |v, visit| self.neighbours(v).iter().copied().for_each(visit))
    }

    /// Whether no edges form a cycle. O(V + E).
    pub fn is_forest(&self) -> bool {
        self.edge_count() + self.components().len() == self.len()
    }

    /// Whether it is connected, and no edges form a cycle. O(V + E).
    pub fn is_tree(&self) -> bool {
        !self.is_empty() && self.edge_count() + 1 == self.len() && self.components().len() == 1
    }
}

impl Dag {
    /// The components that are connected when arrows may be walked in both directions. O(V + E).
    pub fn components(&self) -> Vec<Vec<VarId>> {
        components(self.variables(), |v, visit| {
            self.parents(v).iter().chain(self.children(v)).copied().for_each(visit);
        })
    }

    /// Whether no variable has more than one parent: every component is a tree that hangs from its root.
    /// O(V).
    pub fn is_forest(&self) -> bool {
        self.variables().all(|v| self.parents(v).len() <= 1)
    }

    /// Whether there is one root, and every other variable has one parent. O(V).
    pub fn is_tree(&self) -> bool {
        self.is_forest() && self.roots().count() == 1
    }

    /// Whether the skeleton is a forest: no two paths between the same variables, whatever the directions. A
    /// tree of several parents counts, and so do several trees. O(V + E).
    ///
    /// Its factor graph is a forest, on which message passing is exact.
    pub fn is_polytree(&self) -> bool {
        self.arrow_count() + self.components().len() == self.len()
    }
}

impl FactorGraph {
    /// The connected components as sets of variables; a factor belongs where its scope is. A factor of no
    /// variable is in none of them. O(V + E).
    pub fn components(&self) -> Vec<Vec<VarId>> {
        let variables = (0..self.variable_count()).map(VarId::new);
        let mut seen = vec![false; self.factor_count()];
        components(variables, |v, visit| {
            for factor in self.factors_of(v).filter(|&s| !std::mem::replace(&mut seen[s], true)) {
                self.scope(factor).iter().copied().for_each(&mut *visit);
            }
        })
    }

    /// Whether no edges between variables and factors form a cycle, so that message passing is exact.
    /// O(V + E).
    pub fn is_forest(&self) -> bool {
        let lone_factors = (0..self.factor_count()).filter(|&s| self.scope(s).is_empty()).count();
        let components = self.components().len() + lone_factors;
        self.edge_count() + components == self.variable_count() + self.factor_count()
    }
}

/// The components of the graph in which `neighbours(v, visit)` visits everything that `v` is joined to.
fn components(
    variables: impl ExactSizeIterator<Item = VarId>,
    mut neighbours: impl FnMut(VarId, &mut dyn FnMut(VarId)),
) -> Vec<Vec<VarId>> {
    let mut seen = Marks::none(variables.len());
    let mut components = Vec::new();
    for start in variables {
        if !seen.insert(start) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while let Some(&v) = component.get(next) {
            next += 1;
            neighbours(v, &mut |w| {
                if seen.insert(w) {
                    component.push(w);
                }
            });
        }
        component.sort_unstable();
        components.push(component);
    }
    components
}
