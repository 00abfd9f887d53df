//! Maximum flow and minimum cut of any network.

use super::Error;
use super::search_trees::SearchTrees;
use super::topology::{MAX_ARCS, Sparse, Topology as _};

/// A network of capacities between a source, a sink and numbered nodes.
///
/// ```
/// use posterior_inference::graph_cut::FlowNetwork;
/// let mut network = FlowNetwork::new(2)?;
/// network.add_terminal(0, 5.0, 1.0)?; // source -> 0: 5, 0 -> sink: 1
/// network.add_terminal(1, 0.0, 3.0)?;
/// network.add_edge(0, 1, 2.0, 0.0)?; // 0 -> 1: 2, 1 -> 0: 0
/// let cut = network.min_cut()?;
/// assert_eq!(cut.value, 3.0);
/// assert_eq!(cut.source_side, [true, false]);
/// # Ok::<(), posterior_inference::graph_cut::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FlowNetwork {
    /// Capacity from the source and to the sink.
    terminals: Vec<[f64; 2]>,
    edges: Vec<Edge>,
    /// The sum of all finite capacities.
    total: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Edge {
    ends: (u32, u32),
    /// From the first end to the second, and back.
    capacities: [f64; 2],
}

/// A minimum cut.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cut {
    /// The flow from the source to the sink, which is the sum of the capacities that the cut severs. Without
    /// rounding if all capacities are integers whose sum is below 2^53.
    pub value: f64,
    /// Which nodes are on the source's side: as few as possible, which makes the cut unique.
    pub source_side: Vec<bool>,
}

impl FlowNetwork {
    /// Nodes without capacities.
    ///
    /// # Errors
    /// More than 2^32 nodes.
    pub fn new(nodes: usize) -> Result<Self, Error> {
        Self::check_size(nodes)?;
        Ok(Self { terminals: vec![[0.0; 2]; nodes], edges: Vec::new(), total: 0.0 })
    }

    pub(super) fn check_size(nodes: usize) -> Result<(), Error> {
        if nodes > MAX_ARCS {
            return Err(Error::TooLarge { what: "nodes", count: nodes, limit: MAX_ARCS });
        }
        Ok(())
    }

    /// The number of nodes, source and sink not counted.
    pub fn len(&self) -> usize {
        self.terminals.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.terminals.is_empty()
    }

    /// Adds capacity from the source to a node and from the node to the sink. Both may be infinite.
    ///
    /// # Errors
    /// A node that does not exist, a capacity that is negative or NaN, or a sum of finite capacities that is
    /// not finite.
    pub fn add_terminal(&mut self, node: usize, from_source: f64, to_sink: f64) -> Result<(), Error> {
        self.check_node(node)?;
        let added = self.check_capacities([from_source, to_sink], node)?;
        let terminal = &mut self.terminals[node];
        *terminal = [terminal[0] + from_source, terminal[1] + to_sink];
        self.total = added;
        Ok(())
    }

    /// Adds an edge with a capacity in each direction, beside those that are there already. Both may be
    /// infinite.
    ///
    /// # Errors
    /// As [`add_terminal`](Self::add_terminal), an edge from a node to itself, or more than 2^31 edges.
    pub fn add_edge(&mut self, from: usize, to: usize, capacity: f64, back: f64) -> Result<(), Error> {
        self.check_node(from)?;
        self.check_node(to)?;
        if from == to {
            return Err(Error::SelfLoop { node: from });
        }
        if self.edges.len() >= MAX_ARCS / 2 {
            return Err(Error::TooLarge { what: "edges", count: self.edges.len() + 1, limit: MAX_ARCS / 2 });
        }
        self.total = self.check_capacities([capacity, back], self.edges.len())?;
        self.edges.push(Edge { ends: (from as u32, to as u32), capacities: [capacity, back] });
        Ok(())
    }

    /// The largest flow from the source to the sink, and a cut of that value.
    ///
    /// By incremental breadth-first search (Goldberg et al. 2011): O(n^2 m) at worst, nearly linear on grids
    /// of images. Of several minimum cuts it is the one with the smallest source side.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if an infinite flow is possible.
    pub fn min_cut(&self) -> Result<Cut, Error> {
        let (topology, arcs) = Sparse::new(self.len(), self.edges.iter().map(|edge| edge.ends))?;
        let mut residual = vec![0.0; topology.arc_count()];
        for (edge, arc) in self.edges.iter().zip(arcs) {
            residual[arc as usize] = edge.capacities[0];
            residual[topology.reverse(arc) as usize] = edge.capacities[1];
        }
        let through: f64 = self.terminals.iter().map(|[source, sink]| source.min(*sink)).sum();
        if through == f64::INFINITY {
            return Err(Error::Infeasible);
        }
        let mut trees = SearchTrees::new(&topology, residual);
        for (node, [source, sink]) in self.terminals.iter().enumerate() {
            trees.set_terminal(node, source - sink);
        }
        let flow = trees.run()?;
        let source_side = (0..self.len()).map(|node| trees.on_source_side(node)).collect();
        Ok(Cut { value: through + flow, source_side })
    }

    fn check_node(&self, node: usize) -> Result<(), Error> {
        if node < self.len() { Ok(()) } else { Err(Error::UnknownNode { node, nodes: self.len() }) }
    }

    /// The sum of all finite capacities with these two.
    fn check_capacities(&self, capacities: [f64; 2], index: usize) -> Result<f64, Error> {
        let mut total = self.total;
        for value in capacities {
            if !(value >= 0.0) {
                let requirement = "at least 0";
                return Err(Error::Invalid { what: "capacity", index, value, requirement });
            }
            total += if value < f64::INFINITY { value } else { 0.0 };
        }
        if total < f64::INFINITY { Ok(total) } else { Err(Error::Overflow { what: "capacities" }) }
    }
}
