//! Directed acyclic graphs: the structure of Bayesian networks.

use crate::adjacency::Adjacency;
use crate::{Error, Names, VarId};

/// A directed acyclic graph over named variables. It has no cycle, because the constructor looked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dag {
    names: Names,
    parents: Adjacency,
    children: Adjacency,
    /// Parents before children; among those that could be next, the least id.
    order: Vec<VarId>,
}

impl Dag {
    /// Variables with these names, and arrows `(from, to)`; an arrow that comes twice counts once. O(n + m
    /// log m).
    ///
    /// # Errors
    /// A variable that does not exist, an arrow from a variable to itself, or a cycle, which the error names.
    pub fn new(names: Names, arrows: impl IntoIterator<Item = (VarId, VarId)>) -> Result<Self, Error> {
        let n = names.len();
        let arrows: Vec<(VarId, VarId)> = arrows.into_iter().collect();
        check_pairs(&names, &arrows)?;
        let parents = Adjacency::new(n, &arrows.iter().map(|&(from, to)| (to, from)).collect::<Vec<_>>());
        let children = Adjacency::new(n, &arrows);
        let order = topological_order(&names, &parents, &children)?;
        Ok(Self { names, parents, children, order })
    }

    /// Variables and arrows by their names.
    ///
    /// # Errors
    /// As [`Dag::new`], and names that are empty, come twice or are unknown.
    pub fn named<'n, 'e>(
        names: impl IntoIterator<Item = &'n str>,
        arrows: impl IntoIterator<Item = (&'e str, &'e str)>,
    ) -> Result<Self, Error> {
        let names = Names::new(names)?;
        let arrows: Vec<(VarId, VarId)> = arrows
            .into_iter()
            .map(|(from, to)| Ok((names.require(from)?, names.require(to)?)))
            .collect::<Result<_, Error>>()?;
        Self::new(names, arrows)
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

    /// The parents of `v`, sorted.
    #[track_caller]
    pub fn parents(&self, v: VarId) -> &[VarId] {
        self.parents.of(v)
    }

    /// The children of `v`, sorted.
    #[track_caller]
    pub fn children(&self, v: VarId) -> &[VarId] {
        self.children.of(v)
    }

    /// Whether an arrow leads from `from` to `to`. O(log degree).
    #[track_caller]
    pub fn has_arrow(&self, from: VarId, to: VarId) -> bool {
        self.parents(to).binary_search(&from).is_ok()
    }

    /// The number of arrows.
    pub fn arrow_count(&self) -> usize {
        self.children.pairs()
    }

    /// All arrows `(from, to)`, sorted.
    pub fn arrows(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.variables().flat_map(|from| self.children(from).iter().map(move |&to| (from, to)))
    }

    /// All variables, parents before children; among those that could be next, the least id comes first
    /// (Kahn).
    pub fn topological_order(&self) -> &[VarId] {
        &self.order
    }
}

/// Refuses edges to nowhere, and from a variable to itself.
pub(crate) fn check_pairs(names: &Names, pairs: &[(VarId, VarId)]) -> Result<(), Error> {
    let len = names.len();
    for &(a, b) in pairs {
        if let Some(v) = [a, b].into_iter().find(|v| v.index() >= len) {
            return Err(Error::UnknownVariable { index: v.index(), len });
        }
        if a == b {
            return Err(Error::SelfLoop { name: names.get(a).to_owned() });
        }
    }
    Ok(())
}

fn topological_order(names: &Names, parents: &Adjacency, children: &Adjacency) -> Result<Vec<VarId>, Error> {
    let n = names.len();
    let mut waiting: Vec<usize> = (0..n).map(|i| parents.of(VarId::new(i)).len()).collect();
    let mut ready: std::collections::BTreeSet<VarId> =
        (0..n).filter(|&i| waiting[i] == 0).map(VarId::new).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(v) = ready.pop_first() {
        order.push(v);
        for &child in children.of(v) {
            waiting[child.index()] -= 1;
            if waiting[child.index()] == 0 {
                ready.insert(child);
            }
        }
    }
    if order.len() == n {
        Ok(order)
    } else {
        Err(Error::Cycle { cycle: find_cycle(names, parents, &waiting) })
    }
}

/// The names along a cycle. Every variable that still waits has a parent that still waits: walking up repeats
/// one.
fn find_cycle(names: &Names, parents: &Adjacency, waiting: &[usize]) -> Vec<String> {
    let still_waits = |v: &VarId| waiting[v.index()] > 0;
    let first = (0..waiting.len()).map(VarId::new).find(still_waits);
    let mut walk: Vec<VarId> = first.into_iter().collect();
    while let Some(&v) = walk.last() {
        let Some(&parent) = parents.of(v).iter().find(|p| still_waits(p)) else { break };
        if let Some(start) = walk.iter().position(|&w| w == parent) {
            walk.drain(..start);
            walk.push(parent);
            break;
        }
        walk.push(parent);
    }
    walk.iter().rev().map(|&v| names.get(v).to_owned()).collect()
}
