//! Models whose factors read two variables.

use std::collections::BTreeMap;

use crate::sliced::Sliced;

/// A factor of two variables, by its logarithms: the second variable is the faster one.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub(super) ends: [usize; 2],
    pub(super) logs: Vec<f64>,
}

impl Edge {
    /// Adds the logarithms of another factor, with this many states of its variables, which may be the other
    /// way round.
    fn multiply(&mut self, logs: &[f64], ends: [usize; 2], cards: &[usize]) {
        for (cell, ln) in logs.iter().enumerate() {
            let (slow, fast) = (cell / cards[1], cell % cards[1]);
            self.logs[if self.ends == ends { cell } else { fast * cards[0] + slow }] += ln;
        }
    }
}

/// Logarithms of local vectors and of factors of two variables.
#[derive(Debug, Clone)]
pub(super) struct Pairwise {
    pub(super) locals: Vec<Vec<f64>>,
    pub(super) edges: Vec<Edge>,
    /// The edges of each variable, with the place of the variable.
    pub(super) edges_of: Vec<Vec<(usize, usize)>>,
}

impl Pairwise {
    /// Factors of the same two variables are one edge; one of more than two variables becomes a variable,
    /// after all others.
    pub(super) fn new(sliced: &Sliced) -> Self {
        let logs = |values: &[f64]| values.iter().map(|&x| sliced.ln(x)).collect::<Vec<f64>>();
        let mut locals: Vec<Vec<f64>> = sliced.locals.iter().map(|local| logs(local)).collect();
        let mut edges: Vec<Edge> = Vec::new();
        let mut known: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for table in &sliced.factors {
            if let [a, b] = table.scope() {
                let (ends, own) = ([a.index(), b.index()], logs(table.values()));
                let turned = known.get(&[ends[1], ends[0]]);
                if let Some(&e) = known.get(&ends).or(turned) {
                    edges[e].multiply(&own, ends, table.cards());
                } else {
                    known.insert(ends, edges.len());
                    edges.push(Edge { ends, logs: own });
                }
                continue;
            }
            let values = logs(table.values());
            let cells: Vec<usize> = (0..values.len()).filter(|&i| values[i] > f64::NEG_INFINITY).collect();
            let mut inner = values.len();
            for (v, &card) in table.scope().iter().zip(table.cards()) {
                inner /= card;
                let agree = |(cell, state): (usize, usize)| {
                    if cell / inner % card == state { 0.0 } else { f64::NEG_INFINITY }
                };
                let pairs = cells.iter().flat_map(|&cell| (0..card).map(move |state| (cell, state)));
                edges.push(Edge { ends: [locals.len(), v.index()], logs: pairs.map(agree).collect() });
            }
            locals.push(cells.iter().map(|&cell| values[cell]).collect());
        }
        let mut edges_of = vec![Vec::new(); locals.len()];
        for (e, edge) in edges.iter().enumerate() {
            for (place, &v) in edge.ends.iter().enumerate() {
                edges_of[v].push((e, place));
            }
        }
        Self { locals, edges, edges_of }
    }
}
