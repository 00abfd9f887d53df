//! Scores of labels along a sequence.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use crate::chain::{Edges, LinearChain, Path, Transitions};
use crate::error::Error;

use super::features::Features;
use super::sequence::AttributeSequence;

/// The scores of all labels along one sequence: a [`LinearChain`] that owns its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<'a> {
    pub(super) first: &'a [f64],
    pub(super) nodes: Vec<f64>,
    pub(super) transitions: &'a Transitions,
    pub(super) steps: Option<Vec<f64>>,
}

impl Scores<'_> {
    /// The scores as a chain, whose Z is that of the model.
    #[expect(clippy::missing_panics_doc, reason = "an invariant")]
    pub fn chain(&self) -> LinearChain<'_> {
        let edges = match &self.steps {
            Some(scores) => Edges::Each(scores),
            None => Edges::Same(self.transitions),
        };
        LinearChain::new(self.first, edges, &self.nodes)
            .expect("invariant: features have one number of labels")
    }

    /// The score of these labels: ln p(y | x) + ln Z.
    ///
    /// # Errors
    /// If there are not as many labels as positions, or the model does not have one of them.
    pub fn score(&self, labels: &[usize]) -> Result<f64, Error> {
        let k = self.first.len();
        check_labels(labels, self.nodes.len() / k, k)?;
        Ok(self.chain().path_score(labels))
    }

    /// The so many most probable label sequences, the best first, each with its score and ln p(y | x); fewer
    /// if fewer are possible. O(T K² `count`).
    pub fn k_best(&self, count: usize) -> Vec<(Path, f64)> {
        let chain = self.chain();
        let ln_z = chain.ln_z();
        chain
            .k_best_paths(count)
            .into_iter()
            .map(|path| {
                let ln_p = path.score - ln_z;
                (path, ln_p)
            })
            .collect()
    }
}

/// Whether these can be the labels of a sequence.
pub(super) fn check_labels(labels: &[usize], length: usize, k: usize) -> Result<(), Error> {
    check::dimension("labels of a sequence", length, labels.len())?;
    match labels.iter().find(|&&label| label >= k) {
        None => Ok(()),
        Some(&label) => Err(DimensionError::new("labels of the model, more than", label, k).into()),
    }
}

impl Features {
    /// The scores of pairs of labels, rows are the label before.
    pub(super) fn transition_scores(&self, weights: &[f64]) -> DMatrix<f64> {
        let k = self.labels;
        let mut scores = DMatrix::zeros(k, k);
        let first = self.blocks().transitions;
        for (&pair, &weight) in self.transitions.iter().zip(&weights[first..]) {
            scores[(pair as usize / k, pair as usize % k)] = weight;
        }
        scores
    }

    /// The scores of first labels: the weights, or zeros.
    pub(super) fn first_scores(&self, weights: &[f64]) -> Vec<f64> {
        let blocks = self.blocks();
        if self.ends { weights[blocks.first..blocks.last].to_vec() } else { vec![0.0; self.labels] }
    }

    /// Writes the score of each label at each position: T K numbers.
    pub(super) fn node_scores(&self, weights: &[f64], sequence: &AttributeSequence, scores: &mut Vec<f64>) {
        let k = self.labels;
        let blocks = self.blocks();
        scores.clear();
        scores.resize(sequence.len() * k, 0.0);
        for (t, scores) in scores.chunks_exact_mut(k).enumerate() {
            let (attributes, values) = sequence.nodes.row(t);
            if values.is_empty() {
                for &attribute in attributes {
                    let range = self.nodes.range(attribute as usize);
                    let weights = &weights[range.clone()];
                    if weights.len() == k {
                        add(scores, weights);
                    } else {
                        for (&label, weight) in self.nodes.targets(range).iter().zip(weights) {
                            scores[label as usize] += weight;
                        }
                    }
                }
            } else {
                for (&attribute, &value) in attributes.iter().zip(values) {
                    let range = self.nodes.range(attribute as usize);
                    let weights = &weights[range.clone()];
                    for (&label, weight) in self.nodes.targets(range).iter().zip(weights) {
                        scores[label as usize] += value * weight;
                    }
                }
            }
            let rows = weights[blocks.dense..blocks.end].chunks_exact(k);
            for (&feature, weights) in sequence.dense(t).iter().zip(rows) {
                if feature != 0.0 {
                    for (score, weight) in scores.iter_mut().zip(weights) {
                        *score += feature * weight;
                    }
                }
            }
        }
        if self.ends
            && let Some(last) = scores.rchunks_exact_mut(k).next()
        {
            add(last, &weights[blocks.last..blocks.dense]);
        }
    }

    /// Writes the scores of pairs of labels at each step, (T - 1) K² numbers; `false`, and nothing written,
    /// where they are the same at all steps.
    pub(super) fn step_scores(
        &self,
        weights: &[f64],
        transitions: &Transitions,
        sequence: &AttributeSequence,
        scores: &mut Vec<f64>,
    ) -> bool {
        if self.steps.len() == 0 || sequence.steps.is_empty() {
            return false;
        }
        let k = self.labels;
        let first = self.blocks().steps;
        scores.clear();
        for t in 1..sequence.len() {
            let begin = scores.len();
            for label in 0..k {
                scores.extend_from_slice(transitions.ln_row(label));
            }
            let scores = &mut scores[begin..];
            for (attribute, value) in sequence.step_attributes(t) {
                let range = self.steps.range(attribute);
                let weights = &weights[first + range.start..first + range.end];
                for (&pair, weight) in self.steps.targets(range).iter().zip(weights) {
                    scores[pair as usize] += value * weight;
                }
            }
        }
        true
    }
}

/// y := y + x.
#[inline]
pub(super) fn add(y: &mut [f64], x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x;
    }
}
