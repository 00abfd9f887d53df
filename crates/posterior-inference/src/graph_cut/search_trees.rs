//! Maximum flow by incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan & Werneck 2011).
//!
//! Two trees of shortest residual paths grow level by level, one from the source, one towards the sink. Where
//! they meet, flow is pushed; nodes that lose their parent look for another of the same distance, else move
//! to the next possible distance, else leave the tree. When a tree cannot grow, its border is a minimum cut.

mod adoption;
mod augmentation;

use super::Error;
use super::topology::Topology;

/// The parent of a node that hangs on the source or on the sink itself.
const TERMINAL: u32 = u32::MAX;
/// The parent of a node that lost its parent.
const ORPHAN: u32 = u32::MAX - 1;

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Residual capacity from the source, or minus that to the sink.
    terminal: f64,
    /// Levels of the tree of the source are positive, of the sink negative; 0 is in neither.
    level: i32,
    /// The arc to the parent, [`TERMINAL`], or an orphan.
    parent: u32,
}

/// The search trees of one network: residual capacities and flow.
#[derive(Debug)]
pub(super) struct SearchTrees<'a, T> {
    topology: &'a T,
    residual: Vec<f64>,
    nodes: Vec<Node>,
    flow: f64,
    source: Frontier,
    sink: Frontier,
    orphans: Orphans,
}

/// The last level of a tree, and the nodes from which it grows.
#[derive(Debug, Default)]
struct Frontier {
    /// The number of the level that is complete.
    level: i32,
    /// The nodes of that level, and perhaps some that left it.
    active: Vec<u32>,
    /// The nodes of the level after it.
    next: Vec<u32>,
}

/// Nodes without a parent by their level, lowest first.
#[derive(Debug, Default)]
struct Orphans {
    levels: Vec<Vec<u32>>,
    lowest: usize,
    count: usize,
}

impl Orphans {
    fn push(&mut self, node: u32, level: i32) {
        let level = level as usize;
        if level >= self.levels.len() {
            self.levels.resize_with(level + 1, Vec::new);
        }
        self.levels[level].push(node);
        if self.count == 0 || level < self.lowest {
            self.lowest = level;
        }
        self.count += 1;
    }

    fn pop(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        loop {
            if let Some(node) = self.levels[self.lowest].pop() {
                self.count -= 1;
                return Some(node);
            }
            self.lowest += 1;
        }
    }
}

impl<'a, T: Topology> SearchTrees<'a, T> {
    /// The trees of a network without flow, in which nothing leads from the source or to the sink yet.
    pub(super) fn new(topology: &'a T, residual: Vec<f64>) -> Self {
        let nowhere = Node { terminal: 0.0, level: 0, parent: TERMINAL };
        Self {
            topology,
            residual,
            nodes: vec![nowhere; topology.nodes()],
            flow: 0.0,
            source: Frontier { level: 1, ..Frontier::default() },
            sink: Frontier { level: 1, ..Frontier::default() },
            orphans: Orphans::default(),
        }
    }

    /// Sets the capacity from the source to `node`, or, if negative, from the node to the sink.
    #[inline]
    pub(super) fn set_terminal(&mut self, node: usize, capacity: f64) {
        self.nodes[node].terminal = capacity;
    }

    /// Pushes all the flow there is and returns it.
    pub(super) fn run(&mut self) -> Result<f64, Error> {
        self.push_across_single_arcs()?;
        self.plant();
        while !self.source.active.is_empty() && !self.sink.active.is_empty() {
            // Trees of equal depth find the shortest paths with the fewest nodes; measured, on seeds far
            // apart, 1.7 times faster than to grow the tree with the smaller border.
            if self.source.level <= self.sink.level {
                self.grow::<false>()?;
            } else {
                self.grow::<true>()?;
            }
        }
        // If it was the sink's tree that ended, the source's may still grow, but never into the other.
        while !self.source.active.is_empty() {
            self.grow::<false>()?;
        }
        Ok(self.flow)
    }

    /// The first level of both trees: the nodes next to the source and to the sink.
    fn plant(&mut self) {
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if node.terminal > 0.0 {
                node.level = 1;
                self.source.active.push(number as u32);
            } else if node.terminal < 0.0 {
                node.level = -1;
                self.sink.active.push(number as u32);
            }
        }
    }

    /// Whether `node` is on the source's side of the cut that [`run`](Self::run) found: whether the source
    /// can still reach it.
    pub(super) fn on_source_side(&self, node: usize) -> bool {
        self.nodes[node].level > 0
    }

    fn frontier<const SINK: bool>(&mut self) -> &mut Frontier {
        if SINK { &mut self.sink } else { &mut self.source }
    }

    /// The level of a node in this tree, not positive if it is not in this tree.
    #[inline]
    fn level<const SINK: bool>(&self, node: u32) -> i32 {
        let level = self.nodes[node as usize].level;
        if SINK { -level } else { level }
    }

    /// What can flow along `arc` away from the tree's root.
    #[inline]
    fn outward<const SINK: bool>(&self, arc: u32) -> f64 {
        let arc = if SINK { self.topology.reverse(arc) } else { arc };
        self.residual[arc as usize]
    }

    /// Adds one level to a tree, pushing flow wherever it meets the other.
    fn grow<const SINK: bool>(&mut self) -> Result<(), Error> {
        let level = self.frontier::<SINK>().level;
        let mut k = 0;
        while let Some(&node) = self.frontier::<SINK>().active.get(k) {
            k += 1;
            if self.level::<SINK>(node) == level {
                self.scan::<SINK>(node, level)?;
            }
        }
        let frontier = self.frontier::<SINK>();
        frontier.active.clear();
        std::mem::swap(&mut frontier.active, &mut frontier.next);
        frontier.level = level + 1;
        Ok(())
    }

    fn scan<const SINK: bool>(&mut self, node: u32, level: i32) -> Result<(), Error> {
        for arc in self.topology.arcs(node) {
            let head = self.topology.head(arc);
            loop {
                let there = self.level::<SINK>(head);
                if there > 0 || !(self.outward::<SINK>(arc) > 0.0) {
                    break;
                }
                if there == 0 {
                    let found = &mut self.nodes[head as usize];
                    found.level = if SINK { -(level + 1) } else { level + 1 };
                    found.parent = self.topology.reverse(arc);
                    self.frontier::<SINK>().next.push(head);
                    break;
                }
                let bridge = if SINK { self.topology.reverse(arc) } else { arc };
                let deepest = [self.source.level + i32::from(!SINK), self.sink.level + i32::from(SINK)];
                self.augment(bridge, deepest)?;
                if self.level::<SINK>(node) != level {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
