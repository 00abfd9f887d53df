//! Options of the bigram topic model.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

use crate::lda::{Concentration, Hyperparameters, concentration};

/// The type's name in errors.
pub(super) const NAME: &str = "BigramTopics";

/// The prior that the contexts of words have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WordPrior {
    /// One Dirichlet prior over words for all topics and contexts (Wallach's prior 1).
    Shared,
    /// One for each topic, shared by its contexts (prior 2).
    #[default]
    PerTopic,
}

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, PartialEq)]
pub struct BigramTopicsOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 200.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default 0.1.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word after each word. Default 0.01.
    pub beta: f64,
    /// The prior that the contexts of words have in common. Default: a prior for each topic.
    pub word_prior: WordPrior,
    /// Whether the concentrations are learned: one for each topic, and one for each word, or word and topic;
    /// every ten sweeps. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// The last states of the chain, one after the other, whose counts are pooled, at least 1. Default 10.
    pub draws: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for BigramTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 200,
            alpha: Concentration::Symmetric(0.1),
            beta: 0.01,
            word_prior: WordPrior::PerTopic,
            hyperparameters: Hyperparameters::Fixed,
            draws: 10,
            seed: 0,
        }
    }
}

impl BigramTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, value) in [("iterations", self.iterations), ("draws", self.draws)] {
            check::at_least_one(NAME, name, value)?;
        }
        concentration::check_topics(NAME, self.topics)?;
        self.alpha.of_topics_in(NAME, self.topics)?;
        concentration::check(NAME, "beta", self.beta)?;
        Ok(())
    }
}
