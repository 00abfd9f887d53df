//! New parents for the nodes that lost theirs.

use super::SearchTrees;
use crate::graph_cut::topology::Topology;

impl<T: Topology> SearchTrees<'_, T> {
    /// Gives every orphan of a tree a parent on the lowest possible level, or drops it if it would be deeper
    /// than `deepest`.
    ///
    /// Orphans are taken level by level, so whoever is above an orphan has found its place.
    pub(super) fn adopt<const SINK: bool>(&mut self, deepest: i32) {
        while let Some(node) = self.orphans.pop() {
            if !self.find_parent::<SINK>(node) {
                self.move_down::<SINK>(node, deepest);
            }
        }
    }

    /// Looks for a parent one level above.
    fn find_parent<const SINK: bool>(&mut self, node: u32) -> bool {
        let above = self.level::<SINK>(node) - 1;
        if above == 0 {
            return false;
        }
        for arc in self.topology.arcs(node) {
            let head = self.topology.head(arc);
            if self.level::<SINK>(head) == above && self.inward::<SINK>(arc) > 0.0 {
                self.nodes[node as usize].parent = arc;
                return true;
            }
        }
        false
    }

    /// Moves an orphan to the lowest level that its neighbours allow, where it is an orphan again, and makes
    /// its children orphans.
    fn move_down<const SINK: bool>(&mut self, node: u32, deepest: i32) {
        let mut above = deepest;
        for arc in self.topology.arcs(node) {
            let head = self.topology.head(arc);
            let level = self.level::<SINK>(head);
            if level <= 0 {
                continue;
            }
            if self.nodes[head as usize].parent == self.topology.reverse(arc) {
                self.orphan::<SINK>(head);
            }
            if level < above && self.inward::<SINK>(arc) > 0.0 {
                above = level;
            }
        }
        let moved = &mut self.nodes[node as usize];
        if above == deepest {
            moved.level = 0;
            return;
        }
        let level = above + 1;
        moved.level = if SINK { -level } else { level };
        self.orphans.push(node, level);
        let frontier = self.frontier::<SINK>();
        if level == frontier.level {
            frontier.active.push(node);
        } else if level > frontier.level {
            frontier.next.push(node);
        }
    }

    /// What can flow along `arc` towards the node that it leaves, as seen from the tree's root.
    #[inline]
    fn inward<const SINK: bool>(&self, arc: u32) -> f64 {
        let arc = if SINK { arc } else { self.topology.reverse(arc) };
        self.residual[arc as usize]
    }
}
