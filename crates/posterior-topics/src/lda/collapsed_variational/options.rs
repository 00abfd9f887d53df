//! Options of collapsed variational Bayes.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::Order;
use crate::lda::start::VariationalStart;
use crate::lda::{Concentration, Hyperparameters, WordWeights, word_weights};

/// The precision of the probabilities of topics: most of the memory, a number for each topic of each
/// distinct word of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Seven digits, four bytes a number. Sums have all digits. The default.
    #[default]
    Single,
    /// Eight bytes a number.
    Double,
}

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LdaCollapsedVariationalOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The order of the expansion. Default: zeroth.
    pub order: Order,
    /// Passes over the corpus at most. Default 100.
    pub max_iterations: usize,
    /// The fit converges when a pass changes the objective by no more than this proportion of it. Default
    /// 1e-5.
    pub tolerance: f64,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// How the concentrations of words differ, in all topics or between them. Default: they are all `beta`.
    pub word_weights: WordWeights,
    /// Whether `alpha`, one a topic, and `beta` are fitted. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// The start of the fit. Default: five sweeps of a Gibbs sampler. It matters little: after 1.5 s, starts
    /// from noise and from documents were within 1.5 % of it in perplexity, on the texts of
    /// [`VariationalStart`].
    pub start: VariationalStart,
    /// The precision of the probabilities of topics. Default: single precision.
    pub precision: Precision,
    /// Groups that documents and words are shared out to, which bounds the threads that can help. Default:
    /// one below 20,000 tokens, else eight.
    pub groups: Option<usize>,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LdaCollapsedVariationalOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            order: Order::Zeroth,
            max_iterations: 100,
            tolerance: 1e-5,
            alpha: Concentration::Default,
            beta: 0.01,
            word_weights: WordWeights::Equal,
            hyperparameters: Hyperparameters::Fixed,
            start: VariationalStart::Sampled(5),
            precision: Precision::Single,
            groups: None,
            seed: 0,
            threads: 0,
        }
    }
}

impl LdaCollapsedVariationalOptions {
    /// Checks every option but the start, which needs the corpus.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        word_weights::check_prior(self.topics, &self.alpha, self.beta, &self.word_weights)?;
        check::at_least_one("Lda", "max_iterations", self.max_iterations)?;
        check::non_negative("Lda", "tolerance", self.tolerance)?;
        check::at_least_one("Lda", "groups", self.groups.unwrap_or(1))?;
        Ok(())
    }
}
