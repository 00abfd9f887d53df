//! The fitted model: what is known of the topics.

use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::pooled::PooledCounts;

const FORMAT: &str = "posterior-lda-1";

/// A fitted latent Dirichlet allocation: topics as distributions over words, and the prior of proportions.
#[derive(Debug, Clone, PartialEq)]
pub struct Lda {
    vocabulary: Vec<String>,
    alpha: Vec<f64>,
    beta: f64,
    samples: u32,
    /// Words x topics, row by row: the counts of the pooled states.
    word_topic: Vec<u64>,
    totals: Vec<u64>,
    /// Topics x words; a column is contiguous.
    topic_word: DMatrix<f64>,
}

impl Lda {
    pub(super) fn from_pooled(
        vocabulary: Vec<String>,
        alpha: Vec<f64>,
        beta: f64,
        pooled: PooledCounts,
    ) -> Self {
        Self::from_counts(vocabulary, alpha, beta, pooled.samples(), pooled.into_word_topic())
    }

    fn from_counts(
        vocabulary: Vec<String>,
        alpha: Vec<f64>,
        beta: f64,
        samples: u32,
        word_topic: Vec<u64>,
    ) -> Self {
        let topics = alpha.len();
        let mut totals = vec![0; topics];
        for row in word_topic.chunks_exact(topics) {
            for (total, count) in totals.iter_mut().zip(row) {
                *total += count;
            }
        }
        let smoothing = f64::from(samples) * beta;
        let norm = |k: usize| smoothing * vocabulary.len() as f64 + totals[k] as f64;
        let topic_word = DMatrix::from_fn(topics, vocabulary.len(), |k, v| {
            (smoothing + word_topic[v * topics + k] as f64) / norm(k)
        });
        Self { vocabulary, alpha, beta, samples, word_topic, totals, topic_word }
    }

    /// The number of topics.
    pub fn topics(&self) -> usize {
        self.alpha.len()
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The Dirichlet concentration of each word in a topic.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Topics x words: the posterior mean of each topic. Rows sum to one.
    pub fn topic_word(&self) -> &DMatrix<f64> {
        &self.topic_word
    }

    /// The share of all tokens that each topic has.
    pub fn topic_weights(&self) -> Vec<f64> {
        let all: u64 = self.totals.iter().sum();
        self.totals.iter().map(|&total| total as f64 / all as f64).collect()
    }

    /// The probability of each word in the fitted corpus as a whole.
    pub fn word_probabilities(&self) -> Vec<f64> {
        let all: u64 = self.totals.iter().sum();
        let topics = self.topics();
        self.word_topic.chunks_exact(topics).map(|row| row.iter().sum::<u64>() as f64 / all as f64).collect()
    }
}

/// The file form of a model: counts, from which the probabilities follow exactly.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    alpha: Vec<f64>,
    beta: f64,
    /// States of the chain that the counts are summed over.
    samples: u32,
    vocabulary: Vec<String>,
    /// Words x topics.
    word_topic_counts: Vec<Vec<u64>>,
}

impl Serialize for Lda {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = File {
            format: FORMAT.to_owned(),
            alpha: self.alpha.clone(),
            beta: self.beta,
            samples: self.samples,
            vocabulary: self.vocabulary.clone(),
            word_topic_counts: self.word_topic.chunks(self.topics()).map(<[u64]>::to_vec).collect(),
        };
        file.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Lda {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = File::deserialize(deserializer)?;
        file.check().map_err(serde::de::Error::custom)?;
        let counts = file.word_topic_counts.concat();
        Ok(Self::from_counts(file.vocabulary, file.alpha, file.beta, file.samples, counts))
    }
}

impl File {
    fn check(&self) -> Result<(), String> {
        let topics = self.alpha.len();
        let sum = self.word_topic_counts.iter().flatten().try_fold(0_u64, |sum, &n| sum.checked_add(n));
        if self.format != FORMAT {
            Err(format!("format {:?}, expected {FORMAT:?}", self.format))
        } else if topics == 0 || !self.alpha.iter().chain([&self.beta]).all(|&a| a > 0.0 && a.is_finite()) {
            Err("alpha and beta must be positive and finite".to_owned())
        } else if self.samples == 0 || !matches!(sum, Some(1..)) {
            Err("no counts, or counts beyond 64 bits".to_owned())
        } else if self.word_topic_counts.len() != self.vocabulary.len() {
            Err(format!(
                "{} words with {} rows of counts",
                self.vocabulary.len(),
                self.word_topic_counts.len()
            ))
        } else if let Some(v) = self.word_topic_counts.iter().position(|row| row.len() != topics) {
            Err(format!("word {:?} has not {topics} counts", self.vocabulary[v]))
        } else {
            Ok(())
        }
    }
}
