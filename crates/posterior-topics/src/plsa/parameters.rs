//! The parameters, in both forms.

use posterior_math::linalg::DMatrix;

use crate::Error;
use crate::checks::size;
use crate::distributions::{check_proportions, check_rows};

/// The type's name in errors.
const NAME: &str = "plsa::Parameters";

/// p(d), p(z | d) and p(w | z): the asymmetric form, from which a fit may start.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    pub(super) document_proportions: Vec<f64>,
    pub(super) document_topic: DMatrix<f64>,
    pub(super) topic_word: DMatrix<f64>,
}

impl Parameters {
    /// From p(d), p(z | d) (documents x topics) and p(w | z) (topics x words).
    ///
    /// # Errors
    /// Shapes that do not go together, or what is no distribution: a number that is negative or not finite, a
    /// sum further from one than 1e-8.
    pub fn new(
        document_proportions: Vec<f64>,
        document_topic: DMatrix<f64>,
        topic_word: DMatrix<f64>,
    ) -> Result<Self, Error> {
        let (documents, topics) = document_topic.shape();
        size("proportions of documents", documents, document_proportions.len())?;
        size("topics with words", topics, topic_word.nrows())?;
        check_proportions(NAME, "document_proportions", document_proportions.iter().copied())?;
        check_rows(NAME, "document_topic", &document_topic)?;
        check_rows(NAME, "topic_word", &topic_word)?;
        Ok(Self { document_proportions, document_topic, topic_word })
    }

    /// The same parameters in the symmetric form. A topic without weight has uniform documents.
    pub fn symmetric(&self) -> Symmetric {
        Symmetric::of(&self.document_proportions, &self.document_topic, self.topic_word.clone())
    }
}

/// p(z), p(d | z) and p(w | z): the symmetric form, in which documents and words have the same part.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    topic: Vec<f64>,
    topic_document: DMatrix<f64>,
    topic_word: DMatrix<f64>,
}

impl Symmetric {
    /// From p(z), p(d | z) (topics x documents) and p(w | z) (topics x words).
    ///
    /// # Errors
    /// Shapes that do not go together, or what is no distribution.
    pub fn new(
        topic: Vec<f64>,
        topic_document: DMatrix<f64>,
        topic_word: DMatrix<f64>,
    ) -> Result<Self, Error> {
        size("topics with documents", topic.len(), topic_document.nrows())?;
        size("topics with words", topic.len(), topic_word.nrows())?;
        check_proportions(NAME, "topic", topic.iter().copied())?;
        check_rows(NAME, "topic_document", &topic_document)?;
        check_rows(NAME, "topic_word", &topic_word)?;
        Ok(Self { topic, topic_document, topic_word })
    }

    pub(super) fn of(
        document_proportions: &[f64],
        document_topic: &DMatrix<f64>,
        topic_word: DMatrix<f64>,
    ) -> Self {
        let (documents, topics) = document_topic.shape();
        let mut topic_document =
            DMatrix::from_fn(topics, documents, |k, d| document_proportions[d] * document_topic[(d, k)]);
        let topic: Vec<f64> = topic_document.row_iter().map(|row| row.sum()).collect();
        for (mut row, &proportion) in topic_document.row_iter_mut().zip(&topic) {
            if proportion > 0.0 {
                row /= proportion;
            } else {
                row.fill(1.0 / documents as f64);
            }
        }
        Self { topic, topic_document, topic_word }
    }

    /// Probabilities p(z) of the topics.
    pub fn topic(&self) -> &[f64] {
        &self.topic
    }

    /// p(d | z), topics x documents.
    pub const fn topic_document(&self) -> &DMatrix<f64> {
        &self.topic_document
    }

    /// p(w | z), topics x words.
    pub const fn topic_word(&self) -> &DMatrix<f64> {
        &self.topic_word
    }

    /// The same parameters in the asymmetric form. A document without probability has the topics'
    /// proportions.
    pub fn asymmetric(&self) -> Parameters {
        let (topics, documents) = self.topic_document.shape();
        let mut document_topic =
            DMatrix::from_fn(documents, topics, |d, k| self.topic[k] * self.topic_document[(k, d)]);
        let document_proportions: Vec<f64> = document_topic.row_iter().map(|row| row.sum()).collect();
        for (mut row, &proportion) in document_topic.row_iter_mut().zip(&document_proportions) {
            for (p, &topic) in row.iter_mut().zip(&self.topic) {
                *p = if proportion > 0.0 { *p / proportion } else { topic };
            }
        }
        Parameters { document_proportions, document_topic, topic_word: self.topic_word.clone() }
    }
}
