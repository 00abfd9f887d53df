//! The likelihood of some of the sequences.

use std::ops::Range;

use crate::chain::{Edges, ForwardBackward, LinearChain, Transitions};

use super::dataset::Dataset;
use super::features::Features;

/// A part of the sequences that one thread works on at a time, with its room.
#[derive(Debug)]
pub(super) struct Shard {
    pub(super) sequences: Range<usize>,
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    messages: ForwardBackward,
    nodes: Vec<f64>,
    residuals: Vec<f64>,
    steps: Vec<f64>,
    pairs: Vec<f64>,
    sums: Vec<f64>,
}

/// What all shards read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a> {
    pub(super) data: &'a Dataset,
    pub(super) features: &'a Features,
    pub(super) weights: &'a [f64],
    pub(super) first: &'a [f64],
    pub(super) transitions: &'a Transitions,
}

impl Shard {
    pub(super) fn new(sequences: Range<usize>, labels: usize) -> Self {
        Self {
            sequences,
            value: 0.0,
            gradient: Vec::new(),
            messages: ForwardBackward::new(),
            nodes: Vec::new(),
            residuals: Vec::new(),
            steps: Vec::new(),
            pairs: vec![0.0; labels * labels],
            sums: vec![0.0; labels * labels],
        }
    }

    /// Writes -Σ weight · ln p(y | x) and its gradient.
    pub(super) fn differentiate(&mut self, at: Point<'_>) {
        self.value = 0.0;
        self.gradient.clear();
        self.gradient.resize(at.weights.len(), 0.0);
        self.sums.fill(0.0);
        for sequence in self.sequences.clone() {
            let weight = at.data.weights()[sequence];
            if weight != 0.0 && at.knows(sequence) {
                self.add_sequence(at, sequence, weight);
            }
        }
        at.features.add_transition_gradient(&self.sums, &mut self.gradient);
    }

    fn add_sequence(&mut self, at: Point<'_>, sequence: usize, weight: f64) {
        let labels = &at.data.labels()[sequence];
        let sequence = &at.data.sequences()[sequence];
        let k = at.features.labels;
        at.features.node_scores(at.weights, sequence, &mut self.nodes);
        let each = at.features.step_scores(at.weights, at.transitions, sequence, &mut self.steps);
        let steps = each.then_some(self.steps.as_slice());
        let chain = chain(at, &self.nodes, steps);
        let smoothed = self.messages.smooth(&chain);
        self.value += weight * (smoothed.score().ln_z - chain.path_score(labels));
        if each {
            for t in 1..sequence.len() {
                smoothed.pairwise(t - 1, &mut self.pairs);
                self.pairs[labels[t - 1] * k + labels[t]] -= 1.0;
                for (pair, sum) in self.pairs.iter_mut().zip(&mut self.sums) {
                    *pair *= weight;
                    *sum += *pair;
                }
                at.features.add_step_gradient(sequence, t, &self.pairs, &mut self.gradient);
            }
        } else if weight == 1.0 {
            smoothed.add_edge_sums(&mut self.sums);
            for pair in labels.windows(2) {
                self.sums[pair[0] * k + pair[1]] -= 1.0;
            }
        } else {
            self.pairs.fill(0.0);
            smoothed.add_edge_sums(&mut self.pairs);
            for pair in labels.windows(2) {
                self.pairs[pair[0] * k + pair[1]] -= 1.0;
            }
            for (sum, pair) in self.sums.iter_mut().zip(&self.pairs) {
                *sum += weight * pair;
            }
        }
        self.residuals.clear();
        self.residuals.extend_from_slice(smoothed.marginals());
        for (node, &label) in self.residuals.chunks_exact_mut(k).zip(labels) {
            node[label] -= 1.0;
        }
        if weight != 1.0 {
            for residual in &mut self.residuals {
                *residual *= weight;
            }
        }
        at.features.add_node_gradient(sequence, &self.residuals, &mut self.gradient);
    }

    /// Writes -Σ weight · ln p(y | x).
    pub(super) fn evaluate(&mut self, at: Point<'_>) {
        self.value = 0.0;
        for index in self.sequences.clone() {
            let weight = at.data.weights()[index];
            if weight == 0.0 || !at.knows(index) {
                continue;
            }
            let sequence = &at.data.sequences()[index];
            at.features.node_scores(at.weights, sequence, &mut self.nodes);
            let each = at.features.step_scores(at.weights, at.transitions, sequence, &mut self.steps);
            let steps = each.then_some(self.steps.as_slice());
            let chain = chain(at, &self.nodes, steps);
            let score = chain.path_score(&at.data.labels()[index]);
            self.value += weight * (self.messages.score(&chain).ln_z - score);
        }
    }
}

impl Point<'_> {
    /// Whether the model has all labels of the sequence.
    fn knows(&self, sequence: usize) -> bool {
        self.data.labels()[sequence].iter().all(|&label| label < self.features.labels)
    }
}

fn chain<'a>(at: Point<'a>, nodes: &'a [f64], steps: Option<&'a [f64]>) -> LinearChain<'a> {
    let edges = steps.map_or(Edges::Same(at.transitions), Edges::Each);
    LinearChain::new(at.first, edges, nodes).expect("invariant: features have one number of labels")
}
