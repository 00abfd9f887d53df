//! Parts of graphs: induced subgraphs, and the skeleton that is left without the arrowheads.

use crate::marks::Marks;
use crate::{Dag, Error, Names, UnGraph, VarId};

impl Dag {
    /// The graph of the variables `keep` and the arrows between them. They keep their names and their order;
    /// the ids are dense again, so that the least of `keep` becomes 0. O(V + E log E).
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn induced(&self, keep: &[VarId]) -> Result<Self, Error> {
        let (names, new_ids) = kept(self.names(), keep)?;
        Self::new(names, renumbered(self.arrows(), &new_ids))
    }

    /// The same graph without arrowheads.
    pub fn skeleton(&self) -> UnGraph {
        UnGraph::of_valid(self.names().clone(), self.arrows().collect())
    }
}

impl UnGraph {
    /// The graph of the variables `keep` and the edges between them, with ids as in [`Dag::induced`]. O(V + E
    /// log E).
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn induced(&self, keep: &[VarId]) -> Result<Self, Error> {
        let (names, new_ids) = kept(self.names(), keep)?;
        Ok(Self::of_valid(names, renumbered(self.edges(), &new_ids)))
    }
}

/// The names that stay, and the new id of each variable that stays.
fn kept(names: &Names, keep: &[VarId]) -> Result<(Names, Vec<Option<VarId>>), Error> {
    let kept = Marks::of(names, keep)?.sorted();
    let mut new_ids = vec![None; names.len()];
    for (new, old) in kept.iter().enumerate() {
        new_ids[old.index()] = Some(VarId::new(new));
    }
    Ok((Names::new(kept.iter().map(|&v| names.get(v)))?, new_ids))
}

fn renumbered(edges: impl Iterator<Item = (VarId, VarId)>, new_ids: &[Option<VarId>]) -> Vec<(VarId, VarId)> {
    edges.filter_map(|(a, b)| Some((new_ids[a.index()]?, new_ids[b.index()]?))).collect()
}
