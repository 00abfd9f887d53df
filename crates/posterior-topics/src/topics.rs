//! What all topic models have in common: topics over one vocabulary, and proportions of any document.

use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::checks::size;
use crate::corpus::Document;
use crate::distributions::check_proportions;

/// Topics as distributions over the words of a vocabulary, with their proportions of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Rows", into = "Rows")]
pub struct Topics {
    vocabulary: Vec<String>,
    topic_word: DMatrix<f64>,
    weights: Vec<f64>,
    word_proportions: Vec<f64>,
}

impl Topics {
    /// Topics from their distributions (topics x words), their proportions of all tokens, and the words'
    /// proportions of all tokens.
    ///
    /// # Errors
    /// Shapes that do not go together, a negative number or one that is not finite, or a row, `weights` or
    /// `word_proportions` whose sum is further from one than 1e-8.
    pub fn new(
        vocabulary: Vec<String>,
        topic_word: DMatrix<f64>,
        weights: Vec<f64>,
        word_proportions: Vec<f64>,
    ) -> Result<Self, Error> {
        let (topics, words) = topic_word.shape();
        if topics == 0 || words == 0 {
            return Err(Error::Corpus(format!("topics x words is {topics} x {words}")));
        }
        size("words of the vocabulary", words, vocabulary.len())?;
        size("proportions of words", words, word_proportions.len())?;
        size("proportions of topics", topics, weights.len())?;
        for row in topic_word.row_iter() {
            check_proportions("Topics", "topic_word", row.iter().copied())?;
        }
        check_proportions("Topics", "weights", weights.iter().copied())?;
        check_proportions("Topics", "word_proportions", word_proportions.iter().copied())?;
        Ok(Self { vocabulary, topic_word, weights, word_proportions })
    }

    /// The number of topics.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one topic")]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// Topics x words; a column (a word) is contiguous. Rows sum to one.
    pub fn topic_word(&self) -> &DMatrix<f64> {
        &self.topic_word
    }

    /// The probabilities of a word, by topic.
    ///
    /// # Panics
    /// When the word id is outside the vocabulary.
    #[track_caller]
    pub(crate) fn of_word(&self, word: u32) -> &[f64] {
        require_word(word, self.vocabulary.len());
        &self.topic_word.as_slice()[word as usize * self.len()..][..self.len()]
    }

    /// The proportion of all tokens that each topic has.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The proportion of all tokens that each word has in the fitted corpus.
    pub fn word_proportions(&self) -> &[f64] {
        &self.word_proportions
    }

    /// The first `count` topics as topics of their own, their weights in proportion; all of them where there
    /// are no more.
    ///
    /// The fits of latent Dirichlet allocation have their topics in the order of their weights: these are the
    /// largest then.
    ///
    /// # Errors
    /// `count` is zero, or these topics have no weight at all.
    pub fn first(&self, count: usize) -> Result<Self, Error> {
        let count = count.min(self.len());
        let total: f64 = self.weights[..count].iter().sum();
        Self::new(
            self.vocabulary.clone(),
            self.topic_word.rows(0, count).into_owned(),
            self.weights[..count].iter().map(|weight| weight / total).collect(),
            self.word_proportions.clone(),
        )
    }

    /// ln p(w | theta) of each token of a document, added up: `sum_w n_w ln sum_k theta_k phi_kw`.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_likelihood(&self, document: Document<'_>, theta: &[f64]) -> f64 {
        let ln = |(&word, &count): (&u32, &u32)| {
            let phi = self.of_word(word);
            f64::from(count) * theta.iter().zip(phi.iter()).map(|(t, p)| t * p).sum::<f64>().ln()
        };
        document.words.iter().zip(document.counts).map(ln).sum()
    }
}

/// Refuses a word id outside of a vocabulary.
#[track_caller]
pub(crate) fn require_word(word: u32, vocabulary: usize) {
    assert!(
        (word as usize) < vocabulary,
        "word id {word} is outside of the vocabulary of {vocabulary} words"
    );
}

/// The file form of topics.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    vocabulary: Vec<String>,
    weights: Vec<f64>,
    word_proportions: Vec<f64>,
    /// Topics x words.
    topic_word: Vec<Vec<f64>>,
}

impl From<Topics> for Rows {
    fn from(topics: Topics) -> Self {
        let rows = topics.topic_word.row_iter().map(|row| row.iter().copied().collect());
        Self {
            topic_word: rows.collect(),
            vocabulary: topics.vocabulary,
            weights: topics.weights,
            word_proportions: topics.word_proportions,
        }
    }
}

impl TryFrom<Rows> for Topics {
    type Error = Error;

    fn try_from(rows: Rows) -> Result<Self, Error> {
        let words = rows.vocabulary.len();
        rows.topic_word.iter().try_for_each(|row| size("words of a topic", words, row.len()))?;
        let topic_word = DMatrix::from_fn(rows.topic_word.len(), words, |k, v| rows.topic_word[k][v]);
        Self::new(rows.vocabulary, topic_word, rows.weights, rows.word_proportions)
    }
}

/// A fitted model of documents as mixtures of topics. What evaluates, compares or shows topic models takes
/// this.
pub trait TopicModel {
    /// The topics.
    fn topics(&self) -> &Topics;

    /// The topic proportions of a document over the model's vocabulary, topics held fixed. Without
    /// randomness; they sum to one.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    fn proportions(&self, document: Document<'_>) -> Vec<f64>;

    /// ln p(scored | observed) of two parts of one document: how the first part's proportions predict the
    /// second.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    fn ln_predictive(&self, observed: Document<'_>, scored: Document<'_>) -> f64 {
        self.topics().ln_likelihood(scored, &self.proportions(observed))
    }
}

/// A fitted model, with the proportions of the documents it was fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedTopics<M, R = posterior_math::iteration::Report> {
    /// The model.
    pub model: M,
    /// Documents x topics. Rows sum to one; a document without words has the prior's mean.
    pub doc_topic: DMatrix<f64>,
    /// The course of the fit.
    pub report: R,
}

#[cfg(test)]
mod tests;
