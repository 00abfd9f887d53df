//! What a sequence says about its weights: derivatives by scores, and their way to the weights.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::super::features::Features;
use super::super::sequence::AttributeSequence;
use super::average::Weights;
use crate::chain::{Edges, ForwardBackward, LinearChain, Transitions};
use crate::error::Error;

/// The scores of one sequence, and the derivatives of an objective by each of them. Kept from one sequence to
/// the next for its room.
#[derive(Debug, Clone)]
pub(super) struct Slopes {
    messages: ForwardBackward,
    first: Vec<f64>,
    /// T x K.
    scores: Vec<f64>,
    /// (T - 1) x K x K, where steps have attributes.
    step_scores: Vec<f64>,
    nodes: Vec<f64>,
    /// K x K, of all steps.
    transitions: Vec<f64>,
    steps: Vec<f64>,
}

impl Slopes {
    pub(super) fn new() -> Self {
        Self {
            messages: ForwardBackward::new(),
            first: Vec::new(),
            scores: Vec::new(),
            step_scores: Vec::new(),
            nodes: Vec::new(),
            transitions: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Writes the scores of the sequence, and returns those of transitions, and whether steps differ. Refuses
    /// scores that have overflown.
    fn score(
        &mut self,
        features: &Features,
        weights: &Weights,
        sequence: &AttributeSequence,
    ) -> Result<(Transitions, bool), Error> {
        let (v, scale) = (weights.unscaled(), weights.scale());
        self.first = features.first_scores(v);
        features.node_scores(v, sequence, &mut self.scores);
        let ln: DMatrix<f64> = features.transition_scores(v);
        let each = features.steps.len() > 0
            && features.step_scores(v, &Transitions::from_ln(&ln)?, sequence, &mut self.step_scores);
        if !each {
            self.step_scores.clear();
        }
        for score in self.first.iter_mut().chain(&mut self.scores).chain(&mut self.step_scores) {
            *score = check::finite("crf", "score", *score * scale)?;
        }
        Ok((Transitions::from_ln(&(ln * scale))?, each))
    }

    /// ln p(labels | sequence), and its derivatives.
    pub(super) fn of_likelihood(
        &mut self,
        features: &Features,
        weights: &Weights,
        sequence: &AttributeSequence,
        labels: &[usize],
    ) -> Result<f64, Error> {
        let k = features.labels();
        let (transitions, each) = self.score(features, weights, sequence)?;
        let steps = each.then_some(self.step_scores.as_slice());
        let edges = steps.map_or(Edges::Same(&transitions), Edges::Each);
        let chain = LinearChain::new(&self.first, edges, &self.scores)?;
        let score = chain.path_score(labels);
        let smoothed = self.messages.smooth(&chain);
        let ln_z = smoothed.score().ln_z;
        self.nodes.clear();
        self.nodes.extend(smoothed.marginals().iter().map(|p| -p));
        self.transitions.clear();
        self.transitions.resize(k * k, 0.0);
        smoothed.add_edge_sums(&mut self.transitions);
        self.transitions.iter_mut().for_each(|sum| *sum = -*sum);
        self.steps.clear();
        if each {
            self.steps.resize(labels.len().saturating_sub(1) * k * k, 0.0);
            for (t, pairs) in self.steps.chunks_exact_mut(k * k).enumerate() {
                smoothed.pairwise(t, pairs);
                for p in pairs {
                    *p = -*p;
                }
            }
        }
        self.count(labels, k, 1.0);
        Ok(score - ln_z)
    }

    /// Adds `by` for what the labels hold.
    fn count(&mut self, labels: &[usize], k: usize, by: f64) {
        for (row, &label) in self.nodes.chunks_exact_mut(k).zip(labels) {
            row[label] += by;
        }
        for (t, pair) in labels.windows(2).enumerate() {
            let pair = pair[0] * k + pair[1];
            self.transitions[pair] += by;
            if let Some(step) = self.steps.get_mut(t * k * k + pair) {
                *step += by;
            }
        }
    }

    /// The best labels, and the derivatives of score(labels) - score(best).
    pub(super) fn of_best(
        &mut self,
        features: &Features,
        weights: &Weights,
        sequence: &AttributeSequence,
        labels: &[usize],
    ) -> Result<Vec<usize>, Error> {
        let k = features.labels();
        let (transitions, each) = self.score(features, weights, sequence)?;
        let steps = each.then_some(self.step_scores.as_slice());
        let edges = steps.map_or(Edges::Same(&transitions), Edges::Each);
        let best = LinearChain::new(&self.first, edges, &self.scores)?.best_path();
        let best = best.expect("invariant: scores are finite, so every path is possible").states;
        for (slopes, len) in [
            (&mut self.nodes, labels.len() * k),
            (&mut self.transitions, k * k),
            (&mut self.steps, if each { labels.len().saturating_sub(1) * k * k } else { 0 }),
        ] {
            slopes.clear();
            slopes.resize(len, 0.0);
        }
        self.count(labels, k, 1.0);
        self.count(&best, k, -1.0);
        Ok(best)
    }

    /// Adds `rate` times the derivatives to the weights.
    pub(super) fn step(
        &self,
        features: &Features,
        sequence: &AttributeSequence,
        rate: f64,
        weights: &mut Weights,
    ) {
        let (k, blocks) = (features.labels(), features.blocks());
        for (t, slopes) in self.nodes.chunks_exact(k).enumerate() {
            if slopes.iter().all(|slope| *slope == 0.0) {
                continue;
            }
            for (attribute, value) in sequence.attributes(t) {
                let range = features.nodes.range(attribute);
                for (index, &label) in range.clone().zip(features.nodes.targets(range)) {
                    weights.add(index, rate * value * slopes[label as usize]);
                }
            }
            for (feature, &value) in sequence.dense(t).iter().enumerate().filter(|(_, value)| **value != 0.0)
            {
                for (label, slope) in slopes.iter().enumerate() {
                    weights.add(blocks.dense + feature * k + label, rate * value * slope);
                }
            }
        }
        let pairs = features.transitions.iter().map(|&pair| self.transitions[pair as usize]);
        for (index, slope) in pairs.enumerate().filter(|(_, slope)| *slope != 0.0) {
            weights.add(blocks.transitions + index, rate * slope);
        }
        for (t, slopes) in self.steps.chunks_exact(k * k).enumerate() {
            for (attribute, value) in sequence.step_attributes(t + 1) {
                let range = features.steps.range(attribute);
                for (index, &pair) in range.clone().zip(features.steps.targets(range)) {
                    weights.add(blocks.steps + index, rate * value * slopes[pair as usize]);
                }
            }
        }
        if features.ends && !self.nodes.is_empty() {
            let last = self.nodes.len() - k;
            for label in 0..k {
                weights.add(blocks.first + label, rate * self.nodes[label]);
                weights.add(blocks.last + label, rate * self.nodes[last + label]);
            }
        }
    }
}
