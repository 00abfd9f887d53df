//! A state of the chain: the topics of the documents, and what they count to.

use posterior_math::special::ln_rising_factorial;
use rand::{Rng, RngExt};

use super::options::DocumentMixtureGibbsOptions;
use crate::checks::labels_of_documents;
use crate::corpus::Document;
use crate::factor_rows::FactorRows;
use crate::{Corpus, Error};

/// Labels and counts that agree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counts {
    pub(super) labels: Vec<u32>,
    /// Documents of each topic.
    pub(super) documents: Vec<u64>,
    /// Tokens of each topic.
    pub(super) tokens: Vec<u64>,
    /// Words x topics: whole numbers.
    pub(super) word_topic: FactorRows,
}

impl Counts {
    pub(super) fn of(corpus: &Corpus, labels: &[usize], topics: usize) -> Result<Self, Error> {
        labels_of_documents(corpus.documents(), labels, "topic", topics)?;
        let mut counts = Self {
            labels: labels.iter().map(|&label| label as u32).collect(),
            documents: vec![0; topics],
            tokens: vec![0; topics],
            word_topic: FactorRows::zeros(corpus.vocabulary().len(), topics),
        };
        for (d, &label) in labels.iter().enumerate() {
            counts.put(corpus.document(d), d, label);
        }
        Ok(counts)
    }

    /// Labels that are uniform.
    pub(super) fn random<R: Rng + ?Sized>(corpus: &Corpus, topics: usize, rng: &mut R) -> Self {
        let labels: Vec<usize> =
            (0..corpus.documents()).map(|_| rng.random_range(0..topics as u64) as usize).collect();
        Self::of(corpus, &labels, topics).expect("invariant: there is a label for each document, and a topic")
    }

    pub(super) fn put(&mut self, document: Document<'_>, d: usize, label: usize) {
        self.labels[d] = label as u32;
        self.documents[label] += 1;
        self.tokens[label] += document.tokens();
        for (&word, &count) in document.words.iter().zip(document.counts) {
            self.word_topic.numbers_mut(word as usize)[label] += f64::from(count);
        }
    }

    pub(super) fn take(&mut self, document: Document<'_>, d: usize) {
        let label = self.labels[d] as usize;
        self.documents[label] -= 1;
        self.tokens[label] -= document.tokens();
        for (&word, &count) in document.words.iter().zip(document.counts) {
            self.word_topic.numbers_mut(word as usize)[label] -= f64::from(count);
        }
    }

    /// ln p(W, z), the parameters integrated out.
    pub(super) fn ln_joint(&self, options: &DocumentMixtureGibbsOptions) -> f64 {
        let (gamma, beta) = (options.weight_concentration, options.word_concentration);
        let words = self.word_topic.rows();
        let all: u64 = self.documents.iter().sum();
        let mut ln = -ln_rising_factorial(self.documents.len() as f64 * gamma, all);
        for (&documents, &tokens) in self.documents.iter().zip(&self.tokens) {
            ln += ln_rising_factorial(gamma, documents) - ln_rising_factorial(words as f64 * beta, tokens);
        }
        for w in 0..words {
            for &n in self.word_topic.numbers(w).iter().filter(|&&n| n > 0.0) {
                ln += ln_rising_factorial(beta, n as u64);
            }
        }
        ln
    }
}
