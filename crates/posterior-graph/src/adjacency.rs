//! Lists of neighbours, in compressed rows.

use crate::VarId;

/// For each of n nodes the sorted list of those it is joined to, in one allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjacency {
    /// The list of node i is `targets[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    targets: Vec<VarId>,
}

impl Adjacency {
    /// From pairs (node, neighbour) in any order; a pair that comes twice counts once. O(n + m log m).
    pub(crate) fn new(n: usize, mut pairs: Vec<(VarId, VarId)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0_u32; n + 1];
        for &(node, _) in &pairs {
            starts[node.index() + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        Self { starts, targets: pairs.into_iter().map(|(_, target)| target).collect() }
    }

    /// Half of this for undirected graphs.
    pub(crate) fn pairs(&self) -> usize {
        self.targets.len()
    }

    #[track_caller]
    pub(crate) fn of(&self, node: VarId) -> &[VarId] {
        let i = node.index();
        &self.targets[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}
