//! The fitted model.

use posterior_dist::PitmanYor;
use serde::{Deserialize, Serialize};

use super::options::NAME;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::lda::{self, concentration};
use crate::{TopicModel, Topics};

const FORMAT: &str = "posterior-pitman-yor-topics-2";

/// Topics whose words follow Pitman-Yor processes, and the prior of proportions.
///
/// The probabilities of words are averaged over the pooled states; discounts and concentrations are those of
/// the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct PitmanYorTopics {
    topics: Topics,
    alpha: Vec<f64>,
    level: PitmanYor,
    base_level: Option<PitmanYor>,
}

impl PitmanYorTopics {
    pub(super) fn new(
        topics: Topics,
        alpha: Vec<f64>,
        level: PitmanYor,
        base_level: Option<PitmanYor>,
    ) -> Self {
        Self { topics, alpha, level, base_level }
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Discount and concentration of the topics.
    pub fn level(&self) -> PitmanYor {
        self.level
    }

    /// Discount and concentration of the distribution that the topics have in common, where there is one.
    pub fn base_level(&self) -> Option<PitmanYor> {
        self.base_level
    }
}

impl TopicModel for PitmanYorTopics {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// As those of [`Lda`](crate::lda::Lda), given the topics and `alpha`.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        lda::proportions(&self.topics, &self.alpha, document)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    alpha: Vec<f64>,
    level: PitmanYor,
    base_level: Option<PitmanYor>,
    topics: Topics,
}

impl From<PitmanYorTopics> for File {
    fn from(PitmanYorTopics { topics, alpha, level, base_level }: PitmanYorTopics) -> Self {
        Self { format: FORMAT.to_owned(), alpha, level, base_level, topics }
    }
}

impl TryFrom<File> for PitmanYorTopics {
    type Error = String;

    fn try_from(File { format, alpha, level, base_level, topics }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        if alpha.len() != topics.len() || !alpha.iter().all(|&a| a > 0.0 && a.is_finite()) {
            return Err("alpha must have a positive and finite number for each topic".to_owned());
        }
        for level in std::iter::once(level).chain(base_level) {
            concentration::check(NAME, "level", level.concentration()).map_err(|error| error.to_string())?;
        }
        Ok(Self { topics, alpha, level, base_level })
    }
}
