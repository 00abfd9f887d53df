//! The fitted model: what is known of the topics.

use posterior_math::linalg::DMatrix;
use posterior_sampling::Draws;
use serde::{Deserialize, Serialize};

use super::fold_in;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::distributions::column_sums;
use crate::{TopicModel, Topics};

const FORMAT: &str = "posterior-lda-2";

/// A fitted latent Dirichlet allocation: topics as distributions over words, and the prior of proportions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "File")]
pub struct Lda {
    topics: Topics,
    alpha: Vec<f64>,
    beta: f64,
    /// Words x topics, row by row: expected counts.
    word_topic: Vec<f64>,
    concentration_draws: Option<Draws>,
}

impl Lda {
    /// The model of expected counts (words x topics, row by row): `phi_kv = (beta + n_kv) / (V beta + n_k)`.
    pub(crate) fn from_counts(
        vocabulary: Vec<String>,
        alpha: Vec<f64>,
        beta: f64,
        word_topic: Vec<f64>,
    ) -> Self {
        let count = alpha.len();
        let totals = column_sums(&word_topic, count);
        let all: f64 = totals.iter().sum();
        let words = vocabulary.len() as f64;
        let topic_word = DMatrix::from_fn(count, vocabulary.len(), |k, v| {
            (beta + word_topic[v * count + k]) / (words * beta + totals[k])
        });
        let weights = totals.iter().map(|total| total / all).collect();
        let word_proportions =
            word_topic.chunks_exact(count).map(|row| row.iter().sum::<f64>() / all).collect();
        let topics = Topics::new(vocabulary, topic_word, weights, word_proportions)
            .expect("counts that are not all zero make distributions");
        Self { topics, alpha, beta, word_topic, concentration_draws: None }
    }

    /// With draws of the concentrations, of which the model has the means.
    pub(crate) fn with_concentration_draws(self, concentration_draws: Option<Draws>) -> Self {
        Self { concentration_draws, ..self }
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The Dirichlet concentration of each word in a topic; the least, where they differ.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The expected number of tokens of each word (row) and topic (column), row by row; what concentrations
    /// have beyond [`beta`](Self::beta) counts too.
    pub fn expected_counts(&self) -> &[f64] {
        &self.word_topic
    }

    /// Draws of the concentrations from their posterior distribution, a chain of neighbours that depend on
    /// each other: `alpha_0`, `alpha_1`, .. of the topics, or `alpha` where all topics have one, and `beta`
    /// where all words have one. None where they were not drawn.
    ///
    /// Their [`summary_of_level`](Draws::summary_of_level) has means, intervals and effective numbers of
    /// draws. The chain holds on to one numbering of the topics, as long as it does not exchange two of
    /// them: an interval of `alpha_k` is that of a topic whose words stay as they are.
    pub fn concentration_draws(&self) -> Option<&Draws> {
        self.concentration_draws.as_ref()
    }
}

impl TopicModel for Lda {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// The mode of `theta` under the prior `Dir(alpha + 1)`: see Asuncion et al. (2009), where this fixed
    /// point of CVB0 is as good as any.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        fold_in::proportions(&self.topics, &self.alpha, document)
    }
}

/// The file form of a model: counts, from which the probabilities follow exactly.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    alpha: Vec<f64>,
    beta: f64,
    vocabulary: Vec<String>,
    /// Words x topics: expected counts.
    word_topic_counts: Vec<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    concentration_draws: Option<Draws>,
}

impl Serialize for Lda {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = File {
            format: FORMAT.to_owned(),
            alpha: self.alpha.clone(),
            beta: self.beta,
            vocabulary: self.topics.vocabulary().to_vec(),
            word_topic_counts: self.word_topic.chunks(self.alpha.len()).map(<[f64]>::to_vec).collect(),
            concentration_draws: self.concentration_draws.clone(),
        };
        file.serialize(serializer)
    }
}

impl TryFrom<File> for Lda {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        file.check()?;
        let counts = file.word_topic_counts.concat();
        let model = Self::from_counts(file.vocabulary, file.alpha, file.beta, counts);
        Ok(model.with_concentration_draws(file.concentration_draws))
    }
}

impl File {
    fn check(&self) -> Result<(), String> {
        let topics = self.alpha.len();
        let mut counts = self.word_topic_counts.iter().flatten();
        let sum: f64 = counts.clone().sum();
        check_format(&self.format, FORMAT)?;
        if topics == 0 || !self.alpha.iter().chain([&self.beta]).all(|&a| a > 0.0 && a.is_finite()) {
            Err("alpha and beta must be positive and finite".to_owned())
        } else if !(sum > 0.0 && sum.is_finite()) || counts.any(|&n| n < 0.0) {
            Err("no counts, or counts that are negative or too large".to_owned())
        } else if self.word_topic_counts.len() != self.vocabulary.len() {
            Err(format!(
                "{} words with {} rows of counts",
                self.vocabulary.len(),
                self.word_topic_counts.len()
            ))
        } else if let Some(v) = self.word_topic_counts.iter().position(|row| row.len() != topics) {
            Err(format!("word {:?} has not {topics} counts", self.vocabulary[v]))
        } else if self.concentration_draws.as_ref().is_some_and(|draws| !are_concentrations(draws, topics)) {
            Err("draws of concentrations must be positive and finite, and those of the topics".to_owned())
        } else {
            Ok(())
        }
    }
}

/// Whether draws have the names of concentrations, and are positive and finite.
fn are_concentrations(draws: &Draws, topics: usize) -> bool {
    let names = draws.names().strip_suffix(&["beta".to_owned()]).unwrap_or(draws.names());
    let own = names.len() == topics && (0..topics).all(|k| names[k] == format!("alpha_{k}"));
    let positive =
        |parameter: usize| draws.parameter(parameter).iter().flatten().all(|x| *x > 0.0 && x.is_finite());
    (own || names == ["alpha"]) && (0..draws.names().len()).all(positive)
}
