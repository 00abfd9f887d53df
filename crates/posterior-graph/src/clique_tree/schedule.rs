//! The order in which messages run through a junction tree.

use super::CliqueTree;
use crate::Error;

/// A junction tree with a root for each of its trees: messages are collected towards the roots and
/// distributed from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootedCliqueTree {
    order: Vec<usize>,
    parents: Vec<Option<(usize, usize)>>,
}

impl RootedCliqueTree {
    /// All cliques, parents before children, tree by tree: the order in which messages are distributed, and
    /// backwards the one in which they are collected. Preorder: each subtree stands in one piece.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The edge of clique `c` towards its root, and the clique at its other end; `None` for a root.
    #[track_caller]
    pub fn parent(&self, c: usize) -> Option<(usize, usize)> {
        self.parents[c]
    }

    /// The roots, one for each tree.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        self.order.iter().copied().filter(|&c| self.parents[c].is_none())
    }
}

impl CliqueTree {
    /// Each tree hangs from its least clique. O(cliques).
    pub fn schedule(&self) -> RootedCliqueTree {
        self.hang(0..self.clique_count())
    }

    /// The tree of clique `root` hangs from it, the others from their least cliques. O(cliques).
    ///
    /// # Errors
    /// A clique that does not exist.
    pub fn schedule_from(&self, root: usize) -> Result<RootedCliqueTree, Error> {
        if root >= self.clique_count() {
            return Err(Error::UnknownClique { index: root, len: self.clique_count() });
        }
        Ok(self.hang(std::iter::once(root).chain(0..self.clique_count())))
    }

    fn hang(&self, roots: impl Iterator<Item = usize>) -> RootedCliqueTree {
        let mut parents = vec![None; self.clique_count()];
        let mut seen = vec![false; self.clique_count()];
        let mut order = Vec::with_capacity(self.clique_count());
        let mut open = Vec::new();
        for root in roots {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            open.push(root);
            while let Some(c) = open.pop() {
                order.push(c);
                for (edge, child) in self.edges_at(c) {
                    if !seen[child] {
                        seen[child] = true;
                        parents[child] = Some((edge, c));
                        open.push(child);
                    }
                }
            }
        }
        RootedCliqueTree { order, parents }
    }
}
