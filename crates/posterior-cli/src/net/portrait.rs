//! Which part of a network is drawn, and what its cards say.

use std::collections::VecDeque;

use posterior::graph::VarId;
use posterior::inference::Beliefs;
use posterior::pgm::{Evidence, GraphicalModel as _};

use super::network_input::Input;
use crate::report::network::{Mark, Node, Picture, Row};

/// Cards of a picture at most.
const CARDS: usize = 100;
/// Cards of the neighbourhood that is drawn of a larger network.
const NEAR: usize = 45;

/// What a picture shows.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) input: &'a Input,
    pub(super) evidence: &'a Evidence,
    pub(super) targets: &'a [VarId],
    pub(super) now: Option<&'a Beliefs>,
    pub(super) before: Option<&'a Beliefs>,
}

impl Subject<'_> {
    /// The picture, and what its caption says of variables left out.
    pub(super) fn picture(&self) -> (Picture, String) {
        let pairs = self.pairs();
        let shown = self.shown(&pairs);
        let n = self.input.variables().len();
        let left_out = if shown.len() == n {
            String::new()
        } else {
            format!(
                " The {} of {n} variables that are nearest to what was asked and seen are drawn.",
                shown.len()
            )
        };
        let mut place = vec![None; n];
        for (at, v) in shown.iter().enumerate() {
            place[v.index()] = Some(at);
        }
        let arrows = pairs.iter().filter_map(|(a, b)| Some((place[a.index()]?, place[b.index()]?))).collect();
        let most = match shown.len() {
            0..=12 => 6,
            13..=45 => 4,
            _ => 2,
        };
        let nodes = shown.iter().map(|&v| self.node(v, most)).collect();
        (Picture { nodes, arrows, is_directed: self.input.model().dag().is_some() }, left_out)
    }

    /// The card of a variable with its most probable states.
    pub(super) fn node(&self, v: VarId, most: usize) -> Node {
        let variables = self.input.variables();
        let states = variables.states(v);
        let mark = if self.evidence.get(v).is_some() {
            Mark::Seen
        } else if self.targets.contains(&v) {
            Mark::Target
        } else {
            Mark::Plain
        };
        let mut node =
            Node { name: variables.name(v).to_owned(), mark, rows: Vec::new(), remark: String::new() };
        let Some(now) = self.now.and_then(|now| now.marginal(v)) else {
            node.remark = format!("{} states", states.len());
            return node;
        };
        let before = self.before.and_then(|before| before.marginal(v));
        let mut order: Vec<usize> = (0..now.len()).collect();
        order.sort_by(|&a, &b| now[b].total_cmp(&now[a]));
        let count = if self.evidence.state(v).is_some() { 1 } else { most };
        if states.len() <= count {
            // All are shown: in their own order, two pictures can be compared.
            order.sort_unstable();
        } else if self.evidence.state(v).is_none() {
            node.remark = format!("and {} more states", states.len() - count);
        }
        order.truncate(count);
        node.rows = order
            .into_iter()
            .map(|state| Row {
                label: states[state].clone(),
                proportion: now[state],
                before: before.map(|before| before[state]),
            })
            .collect();
        node
    }

    /// Arrows; of a Markov random field its edges, each from the variable that is met first.
    fn pairs(&self) -> Vec<(VarId, VarId)> {
        if let Some(dag) = self.input.model().dag() {
            return dag.arrows().collect();
        }
        let Ok(graph) = self.input.primal_graph() else { return Vec::new() };
        let mut met = vec![usize::MAX; graph.len()];
        let mut count = 0;
        for root in self.input.variables().ids() {
            let mut waiting = VecDeque::from([root]);
            while let Some(v) = waiting.pop_front() {
                if met[v.index()] == usize::MAX {
                    met[v.index()] = count;
                    count += 1;
                    waiting.extend(graph.neighbours(v));
                }
            }
        }
        graph.edges().map(|(a, b)| if met[a.index()] < met[b.index()] { (a, b) } else { (b, a) }).collect()
    }

    /// All variables, or those nearest to targets and evidence.
    fn shown(&self, pairs: &[(VarId, VarId)]) -> Vec<VarId> {
        let variables = self.input.variables();
        if variables.len() <= CARDS {
            return variables.ids().collect();
        }
        let mut neighbours = vec![Vec::new(); variables.len()];
        for &(a, b) in pairs {
            neighbours[a.index()].push(b);
            neighbours[b.index()].push(a);
        }
        let is_named = self.targets.len() < variables.len();
        let targets = if is_named { self.targets } else { &[] };
        let mut waiting: VecDeque<VarId> = targets.iter().copied().collect();
        waiting.extend(self.evidence.iter().map(|(v, _)| v));
        waiting.extend(variables.ids().filter(|_| targets.is_empty() && self.evidence.is_empty()).take(1));
        let mut shown = vec![false; variables.len()];
        let mut count = 0;
        while let Some(v) = waiting.pop_front().filter(|_| count < NEAR) {
            if !std::mem::replace(&mut shown[v.index()], true) {
                count += 1;
                waiting.extend(&neighbours[v.index()]);
            }
        }
        variables.ids().filter(|v| shown[v.index()]).collect()
    }
}
