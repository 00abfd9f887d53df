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
    /// From pairs (node, neighbour) in any order; a pair that comes twice counts once. O(n + m log d), with d
    /// the largest degree.
    pub(crate) fn new(n: usize, pairs: &[(VarId, VarId)]) -> Self {
        let mut starts = vec![0_u32; n + 1];
        for (node, _) in pairs {
            starts[node.index() + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut places = starts.clone();
        let mut targets = vec![VarId::new(0); pairs.len()];
        for &(node, target) in pairs {
            let place = &mut places[node.index()];
            targets[*place as usize] = target;
            *place += 1;
        }
        let mut kept = 0;
        for i in 0..n {
            let row = starts[i] as usize..starts[i + 1] as usize;
            targets[row.clone()].sort_unstable();
            starts[i] = kept as u32;
            for j in row {
                if kept == starts[i] as usize || targets[kept - 1] != targets[j] {
                    targets[kept] = targets[j];
                    kept += 1;
                }
            }
        }
        starts[n] = kept as u32;
        targets.truncate(kept);
        Self { starts, targets }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
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
