//! Variables, factors and edges in flat arrays, and a spanning forest of them.

use std::ops::Range;

use posterior_pgm::VarId;

use crate::sliced::Sliced;

/// The place of what does not exist.
pub(crate) const NONE: usize = usize::MAX;

/// A factor graph in flat arrays. An edge is a place in the scope of a factor; those of a factor follow one
/// another, and so do their messages.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    /// The number of states of each variable; 0 of those that were seen.
    pub(crate) cards: Vec<usize>,
    /// All local vectors, one after another.
    pub(crate) locals: Vec<f64>,
    /// The local vector of variable v is `locals[local_starts[v]..local_starts[v + 1]]`.
    local_starts: Vec<usize>,
    /// All tables, one after another.
    pub(crate) tables: Vec<f64>,
    table_starts: Vec<usize>,
    /// The edges of factor s are `edge_starts[s]..edge_starts[s + 1]`.
    edge_starts: Vec<usize>,
    /// The variable of each edge, and its number of states.
    pub(crate) edge_variable: Vec<usize>,
    pub(crate) edge_cards: Vec<usize>,
    pub(crate) edge_factor: Vec<usize>,
    /// The message of edge e is at `message_starts[e]..message_starts[e + 1]`.
    message_starts: Vec<usize>,
    /// The edges of variable v are `variable_edges[variable_starts[v]..variable_starts[v + 1]]`.
    variable_edges: Vec<usize>,
    variable_starts: Vec<usize>,
    /// The free variables, each after the one by which it was reached: every component from its least id
    /// outward.
    pub(crate) order: Vec<usize>,
    /// The edge of each variable to the factor by which it was reached; [`NONE`] at a root.
    pub(crate) parent_edge: Vec<usize>,
    /// The edge of each factor by which it was reached.
    pub(crate) factor_parent_edge: Vec<usize>,
    /// The greatest number of independent loops in a component.
    pub(crate) loops: usize,
    /// Whether local vectors and tables are logarithms.
    pub(crate) logarithms: bool,
}

impl Network {
    pub(crate) fn new(sliced: &Sliced) -> Self {
        let cards: Vec<usize> = sliced.locals.iter().map(Vec::len).collect();
        let mut network = Self {
            locals: sliced.locals.concat(),
            local_starts: starts(cards.iter().copied()),
            tables: Vec::with_capacity(sliced.factors.iter().map(|table| table.values().len()).sum()),
            table_starts: starts(sliced.factors.iter().map(|table| table.values().len())),
            edge_starts: starts(sliced.factors.iter().map(|table| table.scope().len())),
            edge_variable: Vec::new(),
            edge_cards: Vec::new(),
            edge_factor: Vec::new(),
            message_starts: Vec::new(),
            variable_edges: Vec::new(),
            variable_starts: Vec::new(),
            order: Vec::with_capacity(cards.len()),
            parent_edge: vec![NONE; cards.len()],
            factor_parent_edge: vec![NONE; sliced.factors.len()],
            loops: 0,
            logarithms: sliced.logarithms,
            cards,
        };
        for (s, table) in sliced.factors.iter().enumerate() {
            network.tables.extend_from_slice(table.values());
            network.edge_variable.extend(table.scope().iter().map(|v| v.index()));
            network.edge_cards.extend_from_slice(table.cards());
            network.edge_factor.extend(std::iter::repeat_n(s, table.scope().len()));
        }
        network.message_starts = starts(network.edge_cards.iter().copied());
        network.join_variables();
        network.span();
        network
    }

    fn join_variables(&mut self) {
        let mut degrees = vec![0; self.cards.len()];
        self.edge_variable.iter().for_each(|&v| degrees[v] += 1);
        self.variable_starts = starts(degrees.iter().copied());
        let mut next = self.variable_starts.clone();
        self.variable_edges = vec![0; self.edge_variable.len()];
        for (edge, &v) in self.edge_variable.iter().enumerate() {
            self.variable_edges[next[v]] = edge;
            next[v] += 1;
        }
    }

    /// Walks every component breadth first from its least variable.
    fn span(&mut self) {
        let mut seen: Vec<bool> = self.cards.iter().map(|&card| card == 0).collect();
        for root in 0..self.cards.len() {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let first = self.order.len();
            self.order.push(root);
            let (mut done, mut edges, mut factors) = (first, 0, 0);
            while done < self.order.len() {
                let v = self.order[done];
                done += 1;
                for place in self.variable_starts[v]..self.variable_starts[v + 1] {
                    let edge = self.variable_edges[place];
                    edges += 1;
                    let s = self.edge_factor[edge];
                    if self.factor_parent_edge[s] != NONE {
                        continue;
                    }
                    self.factor_parent_edge[s] = edge;
                    factors += 1;
                    for other in self.edge_starts[s]..self.edge_starts[s + 1] {
                        let u = self.edge_variable[other];
                        if !seen[u] {
                            seen[u] = true;
                            self.parent_edge[u] = other;
                            self.order.push(u);
                        }
                    }
                }
            }
            self.loops = self.loops.max(edges + 1 - factors - (self.order.len() - first));
        }
    }

    pub(crate) fn factor_count(&self) -> usize {
        self.edge_starts.len() - 1
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edge_variable.len()
    }

    pub(crate) fn local(&self, v: usize) -> Range<usize> {
        self.local_starts[v]..self.local_starts[v + 1]
    }

    pub(crate) fn table(&self, s: usize) -> Range<usize> {
        self.table_starts[s]..self.table_starts[s + 1]
    }

    pub(crate) fn edges(&self, s: usize) -> Range<usize> {
        self.edge_starts[s]..self.edge_starts[s + 1]
    }

    pub(crate) fn message(&self, edge: usize) -> Range<usize> {
        self.message_starts[edge]..self.message_starts[edge + 1]
    }

    /// The messages of all edges of a factor.
    pub(crate) fn messages(&self, s: usize) -> Range<usize> {
        self.message_starts[self.edge_starts[s]]..self.message_starts[self.edge_starts[s + 1]]
    }

    pub(crate) fn message_count(&self) -> usize {
        self.message_starts[self.edge_count()]
    }

    pub(crate) fn edges_of(&self, v: usize) -> &[usize] {
        &self.variable_edges[self.variable_starts[v]..self.variable_starts[v + 1]]
    }

    pub(crate) fn factor_cards(&self, s: usize) -> &[usize] {
        &self.edge_cards[self.edges(s)]
    }

    /// Whether no component has a loop.
    pub(crate) const fn is_forest(&self) -> bool {
        self.loops == 0
    }

    /// The variables of a factor.
    pub(crate) fn scope(&self, s: usize) -> Vec<VarId> {
        self.edge_variable[self.edges(s)].iter().map(|&v| VarId::new(v)).collect()
    }
}

/// The sums of all lengths before each.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut end = 0;
    std::iter::once(0)
        .chain(lengths.map(|length| {
            end += length;
            end
        }))
        .collect()
}
