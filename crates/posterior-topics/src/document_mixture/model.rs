//! The fitted model.

use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use serde::{Deserialize, Serialize};

use crate::checkpoint::check_format;
use crate::checks::size;
use crate::corpus::Document;
use crate::distributions::check_proportions;
use crate::{Error, TopicModel, Topics};

const FORMAT: &str = "posterior-document-mixture-1";

/// Topics, and how probable each is as that of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct DocumentMixture {
    topics: Topics,
    weights: Vec<f64>,
}

impl DocumentMixture {
    /// From topics, and the proportions of documents that they have.
    ///
    /// # Errors
    /// Proportions that are no distribution over the topics.
    pub fn new(topics: Topics, weights: Vec<f64>) -> Result<Self, Error> {
        size("weights of topics", topics.len(), weights.len())?;
        check_proportions("DocumentMixture", "weights", weights.iter().copied())?;
        Ok(Self { topics, weights })
    }

    /// pi: the probability of each topic to be that of a document. In contrast to [`Topics::weights`], long
    /// documents count no more than short ones.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// ln pi_k prod_w phi_kw^n_w for each topic.
    fn ln_joint(&self, document: Document<'_>) -> Vec<f64> {
        let mut ln: Vec<f64> = self.weights.iter().map(|weight| weight.ln()).collect();
        self.add_ln_words(document, &mut ln);
        ln
    }

    fn add_ln_words(&self, document: Document<'_>, ln: &mut [f64]) {
        for (&word, &count) in document.words.iter().zip(document.counts).filter(|(_, count)| **count > 0) {
            let phi = self.topics.of_word(word);
            for (ln, phi) in ln.iter_mut().zip(phi.iter()) {
                *ln += f64::from(count) * phi.ln();
            }
        }
    }

    /// ln p of a document's words in their order, the topic summed out.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_probability(&self, document: Document<'_>) -> f64 {
        ln_sum_exp(&self.ln_joint(document))
    }
}

impl TopicModel for DocumentMixture {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// The probability of each topic to be that of the document: not proportions of its words. Those of an
    /// empty document, or of one that no topic can have made, are the weights.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mut proportions = self.ln_joint(document);
        if proportions.iter().all(|&ln| ln == f64::NEG_INFINITY) {
            return self.weights.clone();
        }
        softmax_in_place(&mut proportions);
        proportions
    }

    /// ln of `sum_k p(k | observed) prod_w phi_kw^n_w`: all scored words are of one topic, the same as the
    /// observed.
    fn ln_predictive(&self, observed: Document<'_>, scored: Document<'_>) -> f64 {
        let mut ln: Vec<f64> = self.ln_joint(observed);
        let mut whole = ln_sum_exp(&ln);
        if whole == f64::NEG_INFINITY {
            ln = self.weights.iter().map(|weight| weight.ln()).collect();
            whole = 0.0;
        }
        self.add_ln_words(scored, &mut ln);
        ln_sum_exp(&ln) - whole
    }
}

/// The file form of a mixture.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    weights: Vec<f64>,
    topics: Topics,
}

impl From<DocumentMixture> for File {
    fn from(DocumentMixture { topics, weights }: DocumentMixture) -> Self {
        Self { format: FORMAT.to_owned(), weights, topics }
    }
}

impl TryFrom<File> for DocumentMixture {
    type Error = String;

    fn try_from(File { format, weights, topics }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        Self::new(topics, weights).map_err(|error| error.to_string())
    }
}
