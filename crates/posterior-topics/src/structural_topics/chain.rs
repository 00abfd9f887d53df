//! The chain: topics of tokens, log-ratios of documents, words of topics, and the regression in turn.
//!
//! ```text
//! phi, gamma_0, eta      along what topics share of their words, z summed out
//! p(z_di = k) ∝ theta_dk phi_gkw                      for each token, w its word, g the level of its document
//! eta_d | z          by a step around its mode        for each document
//! phi_gk | z         Dirichlet, or by their deviations
//! Gamma, Sigma | eta conjugate
//! ```
//!
//! Given `phi` and the regression documents know nothing of each other: they are drawn side by side.

use std::sync::atomic::{AtomicU32, Ordering};

use posterior_dist::stream::stream;
use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;
use rayon::prelude::*;

use super::log_concave::{Normal, TopicCounts, ln_proportions, proportions, step};
use super::regression::{Design, Regression};
use super::words::TopicWords;
use crate::Corpus;
use crate::lda::blocked_gibbs::{TopicDraw, Weights};

/// Documents of one task. They share a random stream, so that the number shapes the chain.
const DOCUMENTS_PER_TASK: usize = 32;

/// The names of the random streams under the seed.
const WORDS: u64 = 0;
const DOCUMENTS: u64 = 1;
const REGRESSION: u64 = 2;
const SHARED_WORDS: u64 = 4;

/// A state of the chain.
#[derive(Debug, Clone)]
pub(super) struct StructuralGibbs<'a> {
    pub(super) corpus: &'a Corpus,
    pub(super) topics: usize,
    pub(super) seed: u64,
    pub(super) sweeps: u64,
    /// By document.
    pub(super) levels: Vec<usize>,
    pub(super) design: Design,
    pub(super) words: TopicWords,
    pub(super) regression: Regression,
    /// The constants at the start of the chain, which stay as they are.
    pub(super) first_constants: Vec<f64>,
    /// Documents x (topics - 1).
    pub(super) eta: Vec<f64>,
    /// Documents x topics.
    pub(super) document_topic: Vec<u32>,
    /// Words x (levels x topics).
    pub(super) word_topic: Vec<u32>,
}

impl StructuralGibbs<'_> {
    /// Lets topics share words, draws topics of tokens and log-ratios, and then the words of topics, on the
    /// threads of the current rayon pool.
    pub(super) fn draw_documents_and_words(&mut self) {
        self.share_words(SHARED_WORDS);
        self.draw_documents();
        self.words.draw(&self.word_topic, self.seed, [WORDS, self.sweeps]);
    }

    /// Draws the regression, which ends a sweep.
    pub(super) fn draw_regression(&mut self) -> Result<(), ParamError> {
        let mut rng = stream(self.seed, &[REGRESSION, self.sweeps]);
        let eta = DMatrix::from_row_slice(self.corpus.documents(), self.topics - 1, &self.eta);
        self.regression = self.design.draw(&eta, &mut rng)?;
        self.sweeps += 1;
        Ok(())
    }

    fn draw_documents(&mut self) {
        let (topics, rows, corpus) = (self.topics, self.words.rows, self.corpus);
        // Sums of integers, in whatever order threads come to add.
        let word_topic: Vec<AtomicU32> = self.word_topic.iter().map(|_| AtomicU32::new(0)).collect();
        let (seed, sweep, levels) = (self.seed, self.sweeps, &self.levels);
        let (words, regression) = (&self.words, &self.regression);
        let tasks = self.document_topic.par_chunks_mut(DOCUMENTS_PER_TASK * topics);
        let tasks = tasks.zip(self.eta.par_chunks_mut(DOCUMENTS_PER_TASK * (topics - 1)));
        tasks.enumerate().for_each(|(task, (counts, eta))| {
            let mut rng = stream(seed, &[DOCUMENTS, sweep, task as u64]);
            let mut draw = TopicDraw::new(topics);
            let documents = counts.chunks_exact_mut(topics).zip(eta.chunks_exact_mut(topics - 1));
            for (d, (counts, eta)) in (task * DOCUMENTS_PER_TASK..).zip(documents) {
                let ln_theta = ln_proportions(eta);
                let theta: Vec<f64> = ln_theta.iter().map(|ln| ln.exp()).collect();
                let theta = Weights { linear: &theta, ln: &ln_theta };
                let document = corpus.document(d);
                let mut own = vec![0.0; topics];
                for (&word, &tokens) in document.words.iter().zip(document.counts) {
                    let first = word as usize * rows + levels[d] * topics;
                    let phi = Weights {
                        linear: &words.phi[first..first + topics],
                        ln: &words.ln_phi[first..first + topics],
                    };
                    draw.draw(theta, phi, tokens, &mut rng, |k, n| {
                        own[k] += f64::from(n);
                        word_topic[first + k].fetch_add(n, Ordering::Relaxed);
                    });
                }
                counts.iter_mut().zip(&own).for_each(|(count, &own)| *count = own as u32);
                let mean = &regression.means.as_slice()[d * (topics - 1)..][..topics - 1];
                let normal = Normal { mean, precision: &regression.precision };
                step(eta, normal, &TopicCounts(&own), &mut rng);
            }
        });
        self.word_topic = word_topic.into_iter().map(AtomicU32::into_inner).collect();
    }

    /// The proportions of documents, documents x topics.
    pub(super) fn proportions(&self) -> impl Iterator<Item = f64> {
        self.eta.chunks_exact(self.topics - 1).flat_map(proportions)
    }

    /// ln p(words, topics of tokens, log-ratios | words of topics, regression), the order of tokens given.
    pub(super) fn ln_joint(&self) -> f64 {
        let ln = |(&n, &ln): (&u32, &f64)| if n > 0 { f64::from(n) * ln } else { 0.0 };
        let words: f64 = self.word_topic.iter().zip(&self.words.ln_phi).map(ln).sum();
        let documents =
            self.document_topic.chunks_exact(self.topics).zip(self.eta.chunks_exact(self.topics - 1));
        let of_document = |(counts, eta): (&[u32], &[f64])| -> f64 {
            counts.iter().zip(&ln_proportions(eta)).map(ln).sum()
        };
        let topics: f64 = documents.map(of_document).sum();
        words + topics + self.regression.ln_density(&self.eta)
    }
}

#[cfg(test)]
pub(super) mod tests;
