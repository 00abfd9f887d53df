//! The fitted model: the words of topics at each time.

use posterior_dist::{StudentT, Univariate};
use posterior_math::check;
use posterior_math::linalg::{DMatrix, written};
use posterior_sampling::Draws;
use serde::{Deserialize, Serialize};

use super::options::NAME;
use crate::checkpoint::check_format;
use crate::checks::index;
use crate::corpus::Document;
use crate::distributions::check_rows;
use crate::lda::{self, fold_in};
use crate::topics::require_word;
use crate::{Error, TopicModel, Topics};

const FORMAT: &str = "posterior-dynamic-topics-1";

/// Fitted dynamic topics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct DynamicTopics {
    /// The topics of all times together.
    topics: Topics,
    alpha: Vec<f64>,
    courses: Courses,
    drift: Draws,
}

/// For each period topics x words: the means of probabilities, and means and standard deviations of their
/// logarithms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Courses {
    pub(super) times: Vec<f64>,
    /// The number of states that were averaged.
    pub(super) states: u32,
    #[serde(with = "tables")]
    pub(super) phi: Vec<DMatrix<f64>>,
    #[serde(with = "tables")]
    pub(super) ln_mean: Vec<DMatrix<f64>>,
    #[serde(with = "tables")]
    pub(super) ln_sd: Vec<DMatrix<f64>>,
}

impl DynamicTopics {
    /// `tokens` is topics x periods.
    pub(super) fn new(
        vocabulary: Vec<String>,
        courses: Courses,
        tokens: &DMatrix<f64>,
        (alpha, drift): (Vec<f64>, Draws),
    ) -> Result<Self, Error> {
        let (topics, words) = (alpha.len(), vocabulary.len());
        let all = tokens.sum();
        let weights: Vec<f64> = tokens.row_iter().map(|row| row.sum() / all).collect();
        // A topic without tokens has all times alike.
        let part = |k: usize, t: usize| {
            let own = tokens.row(k).sum();
            if own > 0.0 { tokens[(k, t)] / own } else { 1.0 / tokens.ncols() as f64 }
        };
        let topic_word: DMatrix<f64> = DMatrix::from_fn(topics, words, |k, v| {
            courses.phi.iter().enumerate().map(|(t, phi)| part(k, t) * phi[(k, v)]).sum()
        });
        let word_proportions: Vec<f64> =
            (0..words).map(|v| (0..topics).map(|k| weights[k] * topic_word[(k, v)]).sum()).collect();
        let topics = Topics::new(vocabulary, topic_word, weights, word_proportions)?;
        Ok(Self { topics, alpha, courses, drift })
    }

    /// The times of the documents, each once, in order.
    pub fn times(&self) -> &[f64] {
        &self.courses.times
    }

    /// Topics x words at a time, by its number: posterior means of the probabilities. Rows sum to one.
    ///
    /// # Panics
    /// When there is no such time.
    #[track_caller]
    pub fn topic_word(&self, time: usize) -> &DMatrix<f64> {
        &self.courses.phi[time]
    }

    /// The probability of a word in a topic at each time, as an interval that holds it with this probability:
    /// by Student's distribution around the mean of its logarithm over the states that were averaged, as if
    /// they were independent. Of one state the interval is from 0 to 1.
    ///
    /// # Errors
    /// A number that is none of a topic or of a word, or a level that is not between 0 and 1.
    pub fn word_course(&self, topic: usize, word: usize, level: f64) -> Result<Vec<[f64; 2]>, Error> {
        index("topic", topic, self.alpha.len())?;
        index("word", word, self.topics.vocabulary().len())?;
        check::open_probability(NAME, "level", level)?;
        let states = f64::from(self.courses.states);
        if states < 2.0 {
            return Ok(vec![[0.0, 1.0]; self.times().len()]);
        }
        let quantile = StudentT::standard(states - 1.0)?.quantile(0.5 + 0.5 * level);
        let wide = quantile * (1.0 + states.recip()).sqrt();
        let at = |t: usize| {
            let (mean, sd) = (self.courses.ln_mean[t][(topic, word)], self.courses.ln_sd[t][(topic, word)]);
            [(mean - wide * sd).exp(), (mean + wide * sd).exp().min(1.0)]
        };
        Ok((0..self.times().len()).map(at).collect())
    }

    /// Draws of the drift from its posterior distribution, a chain of neighbours that depend on each other:
    /// `drift`, the variance of a step of the median gap.
    pub fn drift_draws(&self) -> &Draws {
        &self.drift
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The topic proportions of a document of a known time, by the topics of the time that is nearest.
    ///
    /// # Errors
    /// A time that is not finite.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn proportions_at(&self, document: Document<'_>, time: f64) -> Result<Vec<f64>, Error> {
        let phi = self.nearest(time)?;
        let words = document.words.iter().zip(document.counts);
        let words = words.map(|(&word, &count)| (f64::from(count), self.of_word(phi, word)));
        Ok(fold_in::climb(&self.alpha, &words))
    }

    /// ln p(scored | observed, time): as [`TopicModel::ln_predictive`], of a document whose time is known.
    ///
    /// # Errors
    /// As [`proportions_at`](Self::proportions_at).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_predictive_at(
        &self,
        observed: Document<'_>,
        scored: Document<'_>,
        time: f64,
    ) -> Result<f64, Error> {
        let (theta, phi) = (self.proportions_at(observed, time)?, self.nearest(time)?);
        let ln = |(&word, &count): (&u32, &u32)| {
            let p: f64 = theta.iter().zip(self.of_word(phi, word)).map(|(t, p)| t * p).sum();
            f64::from(count) * p.ln()
        };
        Ok(scored.words.iter().zip(scored.counts).map(ln).sum())
    }

    /// The topics of the time that is nearest.
    fn nearest(&self, time: f64) -> Result<&DMatrix<f64>, Error> {
        check::finite(NAME, "time", time)?;
        let distance = |t: usize| (self.times()[t] - time).abs();
        let nearest = (0..self.times().len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        Ok(&self.courses.phi[nearest.unwrap_or(0)])
    }

    /// The probabilities of a word, by topic.
    #[track_caller]
    fn of_word<'a>(&self, phi: &'a DMatrix<f64>, word: u32) -> &'a [f64] {
        require_word(word, self.topics.vocabulary().len());
        &phi.as_slice()[word as usize * self.alpha.len()..][..self.alpha.len()]
    }
}

impl TopicModel for DynamicTopics {
    /// The topics of all times together, each time by the tokens that the topic has in it.
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// Of a document whose time is not known. [`proportions_at`](DynamicTopics::proportions_at) knows more.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        lda::proportions(&self.topics, &self.alpha, document)
    }
}

/// Matrices, one after the other.
mod tables {
    use super::{DMatrix, Deserialize, Serialize, written};

    #[derive(Serialize, Deserialize)]
    struct Table(#[serde(with = "written")] DMatrix<f64>);

    pub(super) fn serialize<S: serde::Serializer>(
        tables: &[DMatrix<f64>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        tables.iter().cloned().map(Table).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<DMatrix<f64>>, D::Error> {
        Ok(Vec::<Table>::deserialize(deserializer)?.into_iter().map(|table| table.0).collect())
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    topics: Topics,
    alpha: Vec<f64>,
    drift: Draws,
    courses: Courses,
}

impl From<DynamicTopics> for File {
    fn from(DynamicTopics { topics, alpha, courses, drift }: DynamicTopics) -> Self {
        Self { format: FORMAT.to_owned(), topics, alpha, drift, courses }
    }
}

impl TryFrom<File> for DynamicTopics {
    type Error = String;

    fn try_from(File { format, topics, alpha, drift, courses }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        let periods = courses.times.len();
        let shape = (topics.len(), topics.vocabulary().len());
        let fits = |tables: &[DMatrix<f64>]| {
            tables.len() == periods && tables.iter().all(|table| table.shape() == shape)
        };
        if alpha.len() != shape.0 || !alpha.iter().all(|a| *a > 0.0 && a.is_finite()) {
            return Err("alpha must hold a positive number for each topic".to_owned());
        }
        if courses.states == 0 {
            return Err("expected at least one state of the chain".to_owned());
        }
        if periods == 0 || ![&courses.phi, &courses.ln_mean, &courses.ln_sd].iter().all(|all| fits(all)) {
            return Err("expected a table of topics and words for each time".to_owned());
        }
        courses
            .phi
            .iter()
            .try_for_each(|phi| check_rows(NAME, "phi", phi))
            .map_err(|error| error.to_string())?;
        Ok(Self { topics, alpha, courses, drift })
    }
}
