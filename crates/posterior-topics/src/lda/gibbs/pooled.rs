//! Counts of several states of the chain, added up.

use std::cmp::Reverse;

use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::collapsed_gibbs::LdaGibbs;
use crate::Corpus;
use crate::distributions::column_sums;
use crate::lda::Lda;
use crate::lda::word_concentrations::WordConcentrations;

/// Sums of the counts of the retained states. Integers, so that their order cannot matter.
///
/// With `S` states and sums `n`, the estimates are `(S alpha_k + n_dk) / (S alpha_0 + n_d)` and
/// `(S beta + n_kv) / (S V beta + n_k)`: the mean of the conditional means over the states, weighted by
/// their denominators, which for documents are all equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PooledCounts {
    topics: usize,
    states: u64,
    /// Words x topics.
    word_topic: Vec<u64>,
    /// Documents x topics.
    document_topic: Vec<u64>,
}

impl PooledCounts {
    pub(crate) fn new(corpus: &Corpus, topics: usize) -> Self {
        Self {
            topics,
            states: 0,
            word_topic: vec![0; corpus.vocabulary().len() * topics],
            document_topic: vec![0; corpus.documents() * topics],
        }
    }

    pub(crate) fn states(&self) -> u64 {
        self.states
    }

    pub(super) fn add(&mut self, chain: &LdaGibbs<'_>) {
        self.states += 1;
        for (v, sums) in self.word_topic.chunks_exact_mut(self.topics).enumerate() {
            add_counts(sums, chain.word_counts(v));
        }
        for (d, sums) in self.document_topic.chunks_exact_mut(self.topics).enumerate() {
            add_counts(sums, chain.document_counts(d));
        }
    }

    /// Adds a state of another sampler: topic counts of documents, and of words, row by row.
    pub(crate) fn add_tables(&mut self, documents: &[u32], words: &[u32]) {
        self.states += 1;
        add_counts(&mut self.word_topic, words);
        add_counts(&mut self.document_topic, documents);
    }

    /// The model and the proportions of the documents. Topics come by weight, unless the prior tells them
    /// apart.
    pub(in crate::lda) fn fitted(
        mut self,
        corpus: &Corpus,
        alpha: &[f64],
        prior: &WordConcentrations,
    ) -> (Lda, DMatrix<f64>) {
        let order = self.order(prior);
        let alpha: Vec<f64> = order.iter().map(|&k| alpha[k]).collect();
        self.sort_topics(&order);
        let mut word_topic = self.mean_word_topic();
        prior.add_excess(&mut word_topic);
        let doc_topic = self.doc_topic(&alpha);
        (Lda::from_counts(corpus.vocabulary().to_vec(), alpha, prior.least(), word_topic), doc_topic)
    }

    /// The topics by their tokens, most first, or as they are numbered where the prior tells them apart.
    pub(super) fn order(&self, prior: &WordConcentrations) -> Vec<usize> {
        order(&column_sums(&self.word_topic, self.topics), prior)
    }

    /// Numbers the topics in this order.
    fn sort_topics(&mut self, order: &[usize]) {
        let tables = self.word_topic.chunks_exact_mut(self.topics);
        for row in tables.chain(self.document_topic.chunks_exact_mut(self.topics)) {
            row.copy_from_slice(&order.iter().map(|&k| row[k]).collect::<Vec<u64>>());
        }
    }

    /// Whether the sums have the shape that a corpus and a number of topics ask for.
    pub(super) fn fits(&self, corpus: &Corpus, topics: usize) -> bool {
        self.topics == topics
            && self.word_topic.len() == corpus.vocabulary().len() * topics
            && self.document_topic.len() == corpus.documents() * topics
    }

    /// Words x topics, row by row: the mean of the states.
    pub(crate) fn mean_word_topic(&self) -> Vec<f64> {
        self.mean(&self.word_topic)
    }

    /// Documents x topics, row by row: the mean of the states.
    pub(crate) fn mean_document_topic(&self) -> Vec<f64> {
        self.mean(&self.document_topic)
    }

    fn mean(&self, sums: &[u64]) -> Vec<f64> {
        sums.iter().map(|&sum| sum as f64 / self.states as f64).collect()
    }

    /// Documents x topics: the proportions of the documents. Rows sum to one.
    fn doc_topic(&self, alpha: &[f64]) -> DMatrix<f64> {
        let documents = self.document_topic.len() / self.topics;
        let prior = PooledPrior::new(self.states, alpha);
        let rows: Vec<&[u64]> = self.document_topic.chunks_exact(self.topics).collect();
        let lengths: Vec<f64> = rows.iter().map(|row| row.iter().sum::<u64>() as f64).collect();
        DMatrix::from_fn(documents, self.topics, |d, k| prior.proportion(k, rows[d][k], lengths[d]))
    }
}

/// The prior of the proportions of a document, as often as there are states.
#[derive(Debug)]
pub(super) struct PooledPrior<'a> {
    states: f64,
    alpha: &'a [f64],
    sum: f64,
}

impl<'a> PooledPrior<'a> {
    pub(super) fn new(states: u64, alpha: &'a [f64]) -> Self {
        let states = states as f64;
        Self { states, alpha, sum: states * alpha.iter().sum::<f64>() }
    }

    /// The proportion of a topic, of whose tokens the document has so many in all states together.
    pub(super) fn proportion(&self, k: usize, tokens: u64, length: f64) -> f64 {
        (self.states * self.alpha[k] + tokens as f64) / (self.sum + length)
    }
}

/// The topics by their tokens, most first, or as they are numbered where the prior tells them apart.
pub(super) fn order(totals: &[u64], prior: &WordConcentrations) -> Vec<usize> {
    let mut order: Vec<usize> = (0..totals.len()).collect();
    if !prior.tells_topics_apart() {
        order.sort_by_key(|&k| Reverse(totals[k]));
    }
    order
}

fn add_counts(sums: &mut [u64], counts: &[u32]) {
    for (sum, &count) in sums.iter_mut().zip(counts) {
        *sum += u64::from(count);
    }
}
