//! Options of the bigram topic model.

use posterior_math::ParamError;
use posterior_math::check;

use crate::lda::Hyperparameters;

/// The type's name in errors.
const NAME: &str = "BigramTopics";

/// What the contexts of words have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordPrior {
    /// One Dirichlet prior over words for all topics and contexts (Wallach's prior 1).
    Shared,
    /// One for each topic, shared by its contexts (prior 2).
    #[default]
    PerTopic,
}

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 200.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default 0.1.
    pub alpha: f64,
    /// The Dirichlet concentration of each word after each word. Default 0.01.
    pub beta: f64,
    /// What the contexts of words have in common. Default: a prior for each topic.
    pub word_prior: WordPrior,
    /// Whether the concentrations are learned: one for each topic, and one for each word, or word and topic;
    /// every ten sweeps. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// The last states of the chain, one after the other, whose counts are pooled, at least 1. Default 10.
    pub samples: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 200,
            alpha: 0.1,
            beta: 0.01,
            word_prior: WordPrior::PerTopic,
            hyperparameters: Hyperparameters::Fixed,
            samples: 10,
            seed: 0,
        }
    }
}

impl Options {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, value) in
            [("topics", self.topics), ("iterations", self.iterations), ("samples", self.samples)]
        {
            check::at_least_one(NAME, name, value)?;
        }
        let fits = u16::try_from(self.topics).is_ok();
        check::require(fits, NAME, "topics", self.topics as f64, "from 1 to 65535")?;
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            // Products of two stay far from underflow and overflow.
            let fits = (1e-30..=1e30).contains(&value);
            check::require(fits, NAME, name, value, "from 1e-30 to 1e30")?;
        }
        Ok(())
    }
}
