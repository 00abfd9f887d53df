//! Forests of factors, and the loop where there is one.

use posterior_graph::{FactorGraph, Names, VarId};

use crate::Error;

/// The place of what does not exist.
const NONE: usize = usize::MAX;

/// A factor graph without loops, with the least variable of every component as its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorTree {
    scopes: Vec<Vec<VarId>>,
    /// The variables, each component from its root outwards.
    order: Vec<VarId>,
    /// The factor through which each variable is joined to its root.
    parent_factor: Vec<Option<usize>>,
    /// The factors beyond each variable.
    child_factors: Vec<Vec<usize>>,
    /// The variable through which each factor is joined to its root; that of a factor over no variable is
    /// none.
    parent_variable: Vec<Option<VarId>>,
}

impl FactorTree {
    /// The forest of a factor graph. O(edges).
    ///
    /// # Errors
    /// [`Error::Loop`] with the variables of a loop.
    pub fn new(graph: &FactorGraph) -> Result<Self, Error> {
        let names = graph.names();
        let scopes: Vec<Vec<VarId>> = (0..graph.factor_count()).map(|s| graph.scope(s).to_vec()).collect();
        let n = names.len();
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (s, scope) in scopes.iter().enumerate() {
            for v in scope {
                readers[v.index()].push(s);
            }
        }
        let mut tree = Self {
            order: Vec::with_capacity(n),
            parent_factor: vec![None; n],
            child_factors: vec![Vec::new(); n],
            parent_variable: vec![None; scopes.len()],
            scopes,
        };
        let mut seen = vec![false; n];
        let mut done = 0;
        for root in 0..n {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            tree.order.push(VarId::new(root));
            while done < tree.order.len() {
                let v = tree.order[done];
                done += 1;
                let parent = tree.parent_factor[v.index()];
                for &s in readers[v.index()].iter().filter(|&&s| parent != Some(s)) {
                    if tree.parent_variable[s].is_some() {
                        return Err(tree.loop_through(names, v, s));
                    }
                    tree.parent_variable[s] = Some(v);
                    tree.child_factors[v.index()].push(s);
                    for &u in tree.scopes[s].iter().filter(|&&u| u != v) {
                        if seen[u.index()] {
                            return Err(tree.loop_through(names, u, s));
                        }
                        seen[u.index()] = true;
                        tree.parent_factor[u.index()] = Some(s);
                        tree.order.push(u);
                    }
                }
            }
        }
        Ok(tree)
    }

    /// The variables, every one after the one that is nearer to the root of its component.
    pub fn order(&self) -> &[VarId] {
        &self.order
    }

    /// How many factors there are.
    pub fn factor_count(&self) -> usize {
        self.scopes.len()
    }

    /// The variables that factor `s` reads, in its order.
    #[track_caller]
    pub fn scope(&self, s: usize) -> &[VarId] {
        &self.scopes[s]
    }

    /// The factor through which `v` is joined to its root.
    #[track_caller]
    pub fn parent_factor(&self, v: VarId) -> Option<usize> {
        self.parent_factor[v.index()]
    }

    /// The factors beyond `v`, seen from its root.
    #[track_caller]
    pub fn child_factors(&self, v: VarId) -> &[usize] {
        &self.child_factors[v.index()]
    }

    /// The variables beyond factor `s`, seen from its root.
    #[track_caller]
    pub fn child_variables(&self, s: usize) -> impl DoubleEndedIterator<Item = VarId> {
        self.scopes[s].iter().copied().filter(move |&v| Some(v) != self.parent_variable[s])
    }

    /// The loop that an edge closes between a variable and a factor which are both joined to the root.
    fn loop_through(&self, names: &Names, v: VarId, s: usize) -> Error {
        let up = |mut at: Option<VarId>| {
            let mut path = Vec::new();
            while let Some(v) = at {
                path.push(v);
                at = self.parent_factor[v.index()].and_then(|s| self.parent_variable[s]);
            }
            path
        };
        let (mut left, mut right) = (up(Some(v)), up(self.parent_variable[s]));
        let mut top = NONE;
        while let (Some(&a), Some(&b)) = (left.last(), right.last()) {
            if a != b {
                break;
            }
            top = a.index();
            left.pop();
            right.pop();
        }
        right.reverse();
        let mut cycle: Vec<usize> = left.iter().map(|v| v.index()).collect();
        cycle.push(top);
        cycle.extend(right.iter().map(|v| v.index()));
        let first = cycle[0];
        cycle.push(first);
        Error::Loop { cycle: cycle.into_iter().map(|i| names.get(VarId::new(i)).to_owned()).collect() }
    }
}
