//! The fitted model: a topic for each label.

use serde::{Deserialize, Serialize};

use crate::checkpoint::check_format;
use crate::checks::index;
use crate::corpus::Document;
use crate::lda::{Lda, fold_in};
use crate::{Error, TopicModel, Topics};

const FORMAT: &str = "posterior-labelled-topics-1";

/// Fitted labelled topics: those of the labels in their order, then those of the background.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct LabelledTopics {
    lda: Lda,
    labels: Vec<String>,
}

impl LabelledTopics {
    pub(super) fn new(lda: Lda, labels: Vec<String>) -> Self {
        Self { lda, labels }
    }

    /// The labels: topic `k` is that of the label `k`.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The number of topics that all documents may have, the last of all topics.
    pub fn background(&self) -> usize {
        self.topics().len() - self.labels.len()
    }

    /// The topics as a latent Dirichlet allocation in which documents may have all of them.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// How much of a new document is of each label, the background left out: a number for each label, which
    /// add up to one; none where there are no labels. The labels of the document are those at the top, and
    /// how many they are is for the reader to say: these are proportions of its words, not probabilities that
    /// it has a label.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn label_proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mut own = self.proportions(document);
        own.truncate(self.labels.len());
        let sum: f64 = own.iter().sum();
        own.iter().map(|proportion| proportion / sum).collect()
    }

    /// The topic proportions of a document whose labels are known: zero for those of other labels.
    ///
    /// # Errors
    /// A number that is none of a label, or no label where there is no background.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn proportions_with(&self, document: Document<'_>, labels: &[usize]) -> Result<Vec<f64>, Error> {
        labels.iter().try_for_each(|&label| index("label", label, self.labels.len()))?;
        let mut allowed: Vec<usize> = labels.to_vec();
        allowed.sort_unstable();
        allowed.dedup();
        allowed.extend(self.labels.len()..self.topics().len());
        if allowed.is_empty() {
            return Err(Error::Corpus(
                "a document without labels needs a topic of the background".to_owned(),
            ));
        }
        let alpha: Vec<f64> = allowed.iter().map(|&k| self.lda.alpha()[k]).collect();
        let phi: Vec<Vec<f64>> = document
            .words
            .iter()
            .map(|&word| allowed.iter().map(|&k| self.topics().of_word(word)[k]).collect())
            .collect();
        let words = document.counts.iter().map(|&count| f64::from(count)).zip(phi.iter().map(Vec::as_slice));
        let mut theta = vec![0.0; self.topics().len()];
        for (&k, proportion) in allowed.iter().zip(fold_in::climb(&alpha, &words)) {
            theta[k] = proportion;
        }
        Ok(theta)
    }
}

impl TopicModel for LabelledTopics {
    fn topics(&self) -> &Topics {
        self.lda.topics()
    }

    /// Of a document whose labels are not known, so that it may have all topics.
    /// [`proportions_with`](LabelledTopics::proportions_with) knows them.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.lda.proportions(document)
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    labels: Vec<String>,
    lda: Lda,
}

impl From<LabelledTopics> for File {
    fn from(LabelledTopics { lda, labels }: LabelledTopics) -> Self {
        Self { format: FORMAT.to_owned(), labels, lda }
    }
}

impl TryFrom<File> for LabelledTopics {
    type Error = String;

    fn try_from(File { format, labels, lda }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        let (topics, count) = (lda.topics().len(), labels.len());
        if count <= topics {
            Ok(Self { lda, labels })
        } else {
            Err(format!("{count} labels of {topics} topics: each label has a topic"))
        }
    }
}
