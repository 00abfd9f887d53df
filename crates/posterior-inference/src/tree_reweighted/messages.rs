//! Reweighted messages, in logarithms.

use posterior_math::log_space::{ln_sum_exp, softmax_in_place};

use super::pairwise::Pairwise;

/// Messages to both ends of every edge.
#[derive(Debug, Clone)]
pub(super) struct Messages<'a> {
    model: &'a Pairwise,
    to: Vec<[Vec<f64>; 2]>,
    /// ln φ + ∑ ρ ln m of every variable.
    beliefs: Vec<Vec<f64>>,
}

/// Local vectors and edges that multiply to the model when every edge counts as often as it appears in trees.
#[derive(Debug, Clone)]
pub(super) struct Reparametrized {
    pub(super) locals: Vec<Vec<f64>>,
    pub(super) edges: Vec<Vec<f64>>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(model: &'a Pairwise) -> Self {
        let none = |v: usize| vec![0.0; model.locals[v].len()];
        let to = model.edges.iter().map(|edge| edge.ends.map(none)).collect();
        Self { model, to, beliefs: model.locals.clone() }
    }

    /// Messages that say nothing yet.
    pub(super) fn forget(&mut self) {
        for message in self.to.iter_mut().flatten() {
            message.fill(0.0);
        }
    }

    /// Renews all messages, variable by variable, there and back; returns the greatest change. `None` if
    /// nothing is possible.
    pub(super) fn sweep(&mut self, appearances: &[f64], damping: f64) -> Option<f64> {
        let model = self.model;
        let n = model.locals.len();
        (0..n).for_each(|v| self.add_up(v, appearances));
        let mut greatest = 0.0_f64;
        for v in (0..n).chain((0..n).rev()).filter(|&v| !model.locals[v].is_empty()) {
            for &(e, place) in &model.edges_of[v] {
                greatest = greatest.max(self.send(e, place, appearances[e], damping)?);
            }
            self.add_up(v, appearances);
            if self.beliefs[v].iter().all(|&b| b == f64::NEG_INFINITY) {
                return None;
            }
        }
        Some(greatest)
    }

    fn add_up(&mut self, v: usize, appearances: &[f64]) {
        let belief = &mut self.beliefs[v];
        belief.copy_from_slice(&self.model.locals[v]);
        for &(e, place) in &self.model.edges_of[v] {
            for (b, &m) in belief.iter_mut().zip(&self.to[e][place]) {
                *b += appearances[e] * m;
            }
        }
    }

    /// The message along an edge to its end at `place`.
    fn send(&mut self, e: usize, place: usize, appearance: f64, damping: f64) -> Option<f64> {
        let edge = &self.model.edges[e];
        let from = &self.beliefs[edge.ends[1 - place]];
        let back = &self.to[e][1 - place];
        let source: Vec<f64> = from.iter().zip(back).map(|(&b, &m)| without(b, m)).collect();
        let card = self.to[e][place].len();
        let mut terms = vec![0.0; source.len()];
        let mut fresh: Vec<f64> = (0..card)
            .map(|state| {
                for (other, (term, &s)) in terms.iter_mut().zip(&source).enumerate() {
                    let cell = if place == 0 { state * source.len() + other } else { other * card + state };
                    *term = edge.logs[cell] / appearance + s;
                }
                ln_sum_exp(&terms)
            })
            .collect();
        let greatest = fresh.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY {
            return None;
        }
        let mut change = 0.0_f64;
        for (new, &old) in fresh.iter_mut().zip(&self.to[e][place]) {
            *new -= greatest;
            change = change.max((new.exp() - old.exp()).abs());
            if damping > 0.0 {
                *new = (1.0 - damping) * *new + damping * old;
            }
        }
        self.to[e][place] = fresh;
        Some(change)
    }

    /// The same model, written so that trees of it are near what the messages say.
    pub(super) fn reparametrized(&self, appearances: &[f64]) -> Reparametrized {
        let edges =
            self.model.edges.iter().zip(&self.to).zip(appearances).map(|((edge, to), &appearance)| {
                let fast = to[1].len();
                let part = |(cell, &ln): (usize, &f64)| {
                    without(without(ln / appearance, to[0][cell / fast]), to[1][cell % fast])
                };
                edge.logs.iter().enumerate().map(part).collect()
            });
        Reparametrized { locals: self.beliefs.clone(), edges: edges.collect() }
    }

    pub(super) fn marginals(&self) -> Vec<Vec<f64>> {
        let mut marginals = self.beliefs.clone();
        for own in marginals.iter_mut().filter(|own| !own.is_empty()) {
            softmax_in_place(own);
        }
        marginals
    }

    /// The mutual information of the two ends of every edge.
    pub(super) fn informations(&self, appearances: &[f64]) -> Vec<f64> {
        let Reparametrized { locals, edges } = self.reparametrized(appearances);
        let information = |(edge, mut joint): (usize, Vec<f64>)| {
            let [a, b] = self.model.edges[edge].ends;
            let fast = locals[b].len();
            for (cell, p) in joint.iter_mut().enumerate() {
                *p += locals[a][cell / fast] + locals[b][cell % fast];
            }
            softmax_in_place(&mut joint);
            let (mut rows, mut columns) = (vec![0.0; locals[a].len()], vec![0.0; fast]);
            for (cell, &p) in joint.iter().enumerate() {
                rows[cell / fast] += p;
                columns[cell % fast] += p;
            }
            let term = |(cell, &p): (usize, &f64)| {
                if p > 0.0 { p * (p / (rows[cell / fast] * columns[cell % fast])).ln() } else { 0.0 }
            };
            joint.iter().enumerate().map(term).sum()
        };
        edges.into_iter().enumerate().map(information).collect()
    }
}

/// ln (a / b), where a state that b excludes stays excluded.
fn without(a: f64, b: f64) -> f64 {
    if b == f64::NEG_INFINITY { f64::NEG_INFINITY } else { a - b }
}
