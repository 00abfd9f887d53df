//! Variational Bayes with concentrations of its own for each document.
//!
//! `q = prod_d Dir(theta_d; gamma_d) prod_k Dir(phi_k; lambda_k)`, and the topics of tokens at their best
//! given these, so that the bound is
//! sum_dw n_dw ln sum_k exp(E ln theta_dk + E ln phi_kw) - sum_d KL(gamma_d || alpha_d)
//! - sum_k KL(lambda_k || beta).

use posterior_math::linalg::{DMatrix, dot};
use posterior_math::special::{digamma, ln_gamma};
use rayon::prelude::*;

use crate::Corpus;
use crate::corpus::Document;

/// Fixed-point steps of a document in a round at most, and the mean change of a count at which they end.
const STEPS: usize = 20;
const CHANGE: f64 = 1e-3;

/// Documents are shared out to so many groups, whose sums are added up in order.
const GROUPS: usize = 8;

/// The variational state.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// Documents x topics, row by row.
    pub(super) gamma: Vec<f64>,
    /// Words x topics, row by row, without `beta`: expected counts.
    pub(super) word_topic: Vec<f64>,
    topics: usize,
    beta: f64,
}

/// What a pass over the documents finds.
struct Pass {
    gamma: Vec<f64>,
    word_topic: Vec<f64>,
    bound: f64,
}

impl State {
    /// From the expected counts of words (words x topics, row by row) and the proportions of documents.
    pub(super) fn new(
        corpus: &Corpus,
        word_topic: Vec<f64>,
        doc_topic: &DMatrix<f64>,
        alpha: &[f64],
        beta: f64,
    ) -> Self {
        let topics = alpha.len();
        let rows = corpus.iter().zip(doc_topic.row_iter()).flat_map(|(document, row)| {
            let tokens = document.tokens() as f64;
            row.iter().zip(alpha).map(|(proportion, a)| a + tokens * proportion).collect::<Vec<_>>()
        });
        Self { gamma: rows.collect(), word_topic, topics, beta }
    }

    /// Updates the documents, then the topics; returns the bound after the former and before the latter.
    ///
    /// `alpha` has a row for each place, `place` the place of each document. Cost: steps x entries of the
    /// corpus x topics.
    pub(super) fn update(&mut self, corpus: &Corpus, alpha: &DMatrix<f64>, place: &[usize]) -> f64 {
        let topics = self.topics;
        let (weights, divergence) = self.word_weights();
        let documents = corpus.documents();
        let group = documents.div_ceil(GROUPS).max(1);
        let passes: Vec<Pass> = self
            .gamma
            .par_chunks(group * topics)
            .enumerate()
            .map(|(index, gamma)| {
                let mut pass =
                    Pass { gamma: gamma.to_vec(), word_topic: vec![0.0; self.word_topic.len()], bound: 0.0 };
                for (offset, gamma) in pass.gamma.chunks_exact_mut(topics).enumerate() {
                    let d = index * group + offset;
                    let alpha: Vec<f64> = alpha.row(place[d]).iter().copied().collect();
                    let document = corpus.document(d);
                    pass.bound += update_document(document, &weights, &alpha, gamma, &mut pass.word_topic);
                }
                pass
            })
            .collect();
        self.gamma.clear();
        self.word_topic.fill(0.0);
        let mut bound = -divergence;
        for pass in passes {
            bound += pass.bound;
            self.gamma.extend(pass.gamma);
            for (sum, count) in self.word_topic.iter_mut().zip(pass.word_topic) {
                *sum += count;
            }
        }
        bound
    }

    /// `exp(E ln phi_kw)`, row by row, and `sum_k KL(lambda_k || beta)`.
    fn word_weights(&self) -> (Vec<f64>, f64) {
        let (topics, beta) = (self.topics, self.beta);
        let words = (self.word_topic.len() / topics) as f64;
        let mut totals = vec![words * beta; topics];
        for row in self.word_topic.chunks_exact(topics) {
            for (total, count) in totals.iter_mut().zip(row) {
                *total += count;
            }
        }
        let offsets: Vec<f64> = totals.iter().map(|&total| digamma(total)).collect();
        let rows: Vec<(Vec<f64>, f64)> = self
            .word_topic
            .par_chunks(topics)
            .map(|row| {
                let mut divergence = 0.0;
                let weights = row.iter().zip(&offsets).map(|(&count, offset)| {
                    let lambda = beta + count;
                    let ln = digamma(lambda) - offset;
                    divergence += count * ln - ln_gamma(lambda) + ln_gamma(beta);
                    ln.exp()
                });
                let weights = weights.collect();
                (weights, divergence)
            })
            .collect();
        let normalizers: f64 = totals.iter().map(|&total| ln_gamma(total) - ln_gamma(words * beta)).sum();
        let divergence = normalizers + rows.iter().map(|(_, divergence)| divergence).sum::<f64>();
        (rows.into_iter().flat_map(|(weights, _)| weights).collect(), divergence)
    }
}

/// `E ln theta` under `Dir(gamma)`.
pub(super) fn expected_ln(gamma: &[f64]) -> Vec<f64> {
    let offset = digamma(gamma.iter().sum());
    gamma.iter().map(|&g| digamma(g) - offset).collect()
}

/// Climbs to the best `gamma` of a document and adds its expected counts; returns its part of the bound.
fn update_document(
    document: Document<'_>,
    weights: &[f64],
    alpha: &[f64],
    gamma: &mut [f64],
    word_topic: &mut [f64],
) -> f64 {
    let topics = alpha.len();
    let row = |word: u32| &weights[word as usize * topics..][..topics];
    let mut expected = expected_ln(gamma);
    let mut theta: Vec<f64> = expected.iter().map(|e| e.exp()).collect();
    let mut sums = vec![0.0; topics];
    for _ in 0..STEPS {
        sums.fill(0.0);
        for (&word, &count) in document.words.iter().zip(document.counts) {
            let row = row(word);
            let scale = f64::from(count) / dot(&theta, row).max(f64::MIN_POSITIVE);
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += scale * weight;
            }
        }
        let mut change = 0.0;
        for k in 0..topics {
            let next = alpha[k] + theta[k] * sums[k];
            change += (next - gamma[k]).abs();
            gamma[k] = next;
        }
        expected = expected_ln(gamma);
        for (theta, e) in theta.iter_mut().zip(&expected) {
            *theta = e.exp();
        }
        if change <= CHANGE * topics as f64 {
            break;
        }
    }
    let mut bound = -dirichlet_divergence(gamma, alpha, &expected);
    for (&word, &count) in document.words.iter().zip(document.counts) {
        let row = row(word);
        let p = dot(&theta, row).max(f64::MIN_POSITIVE);
        let scale = f64::from(count) / p;
        bound += f64::from(count) * p.ln();
        let counts = &mut word_topic[word as usize * topics..][..topics];
        for ((sum, theta), weight) in counts.iter_mut().zip(&theta).zip(row) {
            *sum += scale * theta * weight;
        }
    }
    bound
}

/// KL(Dir(gamma) || Dir(alpha)), where `expected` is `E ln theta` of the former.
fn dirichlet_divergence(gamma: &[f64], alpha: &[f64], expected: &[f64]) -> f64 {
    let mut divergence = ln_gamma(gamma.iter().sum()) - ln_gamma(alpha.iter().sum());
    for ((&g, &a), e) in gamma.iter().zip(alpha).zip(expected) {
        divergence += ln_gamma(a) - ln_gamma(g) + (g - a) * e;
    }
    divergence
}

#[cfg(test)]
mod tests;
