//! The fitted model.

use posterior_math::check;
use serde::{Deserialize, Serialize};

use super::options::PlsaOptions;
use super::parameters::{Parameters, Symmetric};
use super::problem::State;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::distributions::check_proportions;
use crate::lda::fold_in;
use crate::{Corpus, FittedTopics, TopicModel, Topics};

const FORMAT: &str = "posterior-plsa-2";

/// A fitted probabilistic latent semantic analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Plsa {
    topics: Topics,
    document_proportions: Vec<f64>,
    topic_prior: f64,
}

impl Plsa {
    /// Rows of documents without words become the topics' proportions, unless a prior says what they are.
    pub(super) fn fitted<R>(
        corpus: &Corpus,
        state: &State,
        options: &PlsaOptions,
        report: R,
    ) -> FittedTopics<Self, R> {
        let mut doc_topic = state.document_topic.to_matrix();
        let topics = doc_topic.ncols();
        let mut weights = vec![0.0; topics];
        for (row, &proportion) in doc_topic.row_iter().zip(&state.document_proportions) {
            weights.iter_mut().zip(row.iter()).for_each(|(weight, p)| *weight += proportion * p);
        }
        if options.topic_prior == 1.0 {
            for d in corpus.empty_documents() {
                doc_topic.row_mut(d).iter_mut().zip(&weights).for_each(|(p, weight)| *p = *weight);
            }
        }
        let word_proportions = corpus.word_proportions();
        let topics = Topics::new(
            corpus.vocabulary().to_vec(),
            state.word_topic.to_transposed(),
            weights,
            word_proportions,
        )
        .expect("invariant: the M step and the checks of a start make distributions");
        let document_proportions = state.document_proportions.clone();
        let model = Self { topics, document_proportions, topic_prior: options.topic_prior };
        FittedTopics { model, doc_topic, report }
    }

    /// p(d) of the documents that the model was fitted to: their proportions of all tokens.
    pub fn document_proportions(&self) -> &[f64] {
        &self.document_proportions
    }

    /// The Dirichlet concentration of each topic in a document; 1 without a prior.
    pub const fn topic_prior(&self) -> f64 {
        self.topic_prior
    }
}

impl TopicModel for Plsa {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// Folding-in: EM for the document's proportions, topics held fixed, under the model's prior. It finds
    /// the maximum, which is the only one. A document without a word that some topic has gets, without a
    /// prior, the topics' proportions.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let known = document.words.iter().any(|&word| self.topics.of_word(word).iter().any(|&p| p > 0.0));
        if !known && self.topic_prior == 1.0 {
            return self.topics.weights().to_vec();
        }
        fold_in::proportions(&self.topics, &vec![self.topic_prior - 1.0; self.topics.len()], document)
    }
}

impl<R> FittedTopics<Plsa, R> {
    /// The fitted parameters in the symmetric form.
    pub fn symmetric(&self) -> Symmetric {
        Symmetric::of(
            self.model.document_proportions(),
            &self.doc_topic,
            self.model.topics().topic_word().clone(),
        )
    }

    /// The fitted parameters, to go on from.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            document_proportions: self.model.document_proportions().to_vec(),
            document_topic: self.doc_topic.clone(),
            topic_word: self.model.topics().topic_word().clone(),
        }
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    topics: Topics,
    document_proportions: Vec<f64>,
    topic_prior: f64,
}

impl From<Plsa> for File {
    fn from(Plsa { topics, document_proportions, topic_prior }: Plsa) -> Self {
        Self { format: FORMAT.to_owned(), topics, document_proportions, topic_prior }
    }
}

impl TryFrom<File> for Plsa {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let File { format, topics, document_proportions, topic_prior } = file;
        check_format(&format, FORMAT)?;
        check_proportions("Plsa", "document_proportions", document_proportions.iter().copied())
            .map_err(|error| error.to_string())?;
        let mode = topic_prior >= 1.0 && topic_prior.is_finite();
        check::require(mode, "Plsa", "topic_prior", topic_prior, "at least 1 and finite")
            .map_err(|error| error.to_string())?;
        Ok(Self { topics, document_proportions, topic_prior })
    }
}
