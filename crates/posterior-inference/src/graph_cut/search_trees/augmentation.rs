//! Flow along a path from the source to the sink, once the trees have met.

use super::{Node, ORPHAN, SearchTrees, TERMINAL};
use crate::graph_cut::Error;
use crate::graph_cut::topology::Topology;

impl<T: Topology> SearchTrees<'_, T> {
    /// Pushes flow along all paths of three arcs, source, node, neighbour, sink, before there are trees to
    /// repair: on images that is most of the flow.
    pub(super) fn push_across_single_arcs(&mut self) -> Result<(), Error> {
        for node in 0..self.nodes.len() {
            let mut supply = self.nodes[node].terminal;
            if !(supply > 0.0) {
                continue;
            }
            for arc in self.topology.arcs(node as u32) {
                let head = self.topology.head(arc) as usize;
                let demand = -self.nodes[head].terminal;
                let flow = supply.min(demand).min(self.residual[arc as usize]);
                if !(flow > 0.0) {
                    continue;
                }
                if flow == f64::INFINITY {
                    return Err(Error::Infeasible);
                }
                supply -= flow;
                self.nodes[head].terminal += flow;
                self.residual[arc as usize] -= flow;
                self.residual[self.topology.reverse(arc) as usize] += flow;
                self.flow += flow;
            }
            self.nodes[node].terminal = supply;
        }
        Ok(())
    }

    /// Pushes flow along `bridge`, from a node of the source's tree to one of the sink's, and along the paths
    /// to their roots; nodes that are cut off find another place, not below the deepest level of their tree.
    pub(super) fn augment(
        &mut self,
        bridge: u32,
        [deepest_source, deepest_sink]: [i32; 2],
    ) -> Result<(), Error> {
        let back = self.topology.reverse(bridge);
        let (first, last) = (self.topology.head(back), self.topology.head(bridge));
        let bottleneck =
            self.residual[bridge as usize].min(self.slack::<false>(first)).min(self.slack::<true>(last));
        if bottleneck == f64::INFINITY {
            return Err(Error::Infeasible);
        }
        self.residual[bridge as usize] -= bottleneck;
        self.residual[back as usize] += bottleneck;
        self.push::<false>(first, bottleneck);
        self.adopt::<false>(deepest_source);
        self.push::<true>(last, bottleneck);
        self.adopt::<true>(deepest_sink);
        self.flow += bottleneck;
        Ok(())
    }

    /// The least residual capacity between `node` and its root, terminal included.
    fn slack<const SINK: bool>(&self, mut node: u32) -> f64 {
        let mut least = f64::INFINITY;
        loop {
            let Node { parent, terminal, .. } = self.nodes[node as usize];
            if parent == TERMINAL {
                return least.min(if SINK { -terminal } else { terminal });
            }
            let arc = if SINK { parent } else { self.topology.reverse(parent) };
            least = least.min(self.residual[arc as usize]);
            node = self.topology.head(parent);
        }
    }

    fn push<const SINK: bool>(&mut self, mut node: u32, flow: f64) {
        loop {
            let parent = self.nodes[node as usize].parent;
            if parent == TERMINAL {
                let terminal = &mut self.nodes[node as usize].terminal;
                *terminal += if SINK { flow } else { -flow };
                if *terminal == 0.0 {
                    self.orphan::<SINK>(node);
                }
                return;
            }
            let back = self.topology.reverse(parent);
            let (along, against) = if SINK { (parent, back) } else { (back, parent) };
            self.residual[against as usize] += flow;
            let left = self.residual[along as usize] - flow;
            self.residual[along as usize] = left;
            let up = self.topology.head(parent);
            if left == 0.0 {
                self.orphan::<SINK>(node);
            }
            node = up;
        }
    }

    /// Cuts `node` off its parent.
    #[inline]
    pub(super) fn orphan<const SINK: bool>(&mut self, node: u32) {
        self.nodes[node as usize].parent = ORPHAN;
        let level = self.level::<SINK>(node);
        self.orphans.push(node, level);
    }
}
