//! Options of uncollapsed Gibbs sampling.

use posterior_math::ParamError;
use serde::{Deserialize, Serialize};

use crate::chain::Schedule;
use crate::lda::{Concentration, Hyperparameters, WordWeights, word_weights};

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LdaBlockedGibbsOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// How the concentrations of words differ, in all topics or between them. Default: they are all `beta`.
    pub word_weights: WordWeights,
    /// Whether `alpha` and `beta` are fitted, before states are pooled. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// States of the chain whose counts are pooled for the estimates, the last one included. Default 10.
    pub draws: usize,
    /// Sweeps between two pooled states. Default 10.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace. Default 10.
    pub trace_every: usize,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LdaBlockedGibbsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 1000,
            alpha: Concentration::Default,
            beta: 0.01,
            word_weights: WordWeights::Equal,
            hyperparameters: Hyperparameters::Fixed,
            draws: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
            threads: 0,
        }
    }
}

impl LdaBlockedGibbsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        word_weights::check_prior(self.topics, &self.alpha, self.beta, &self.word_weights)?;
        self.schedule().check("Lda")
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        let optimizes = self.hyperparameters == Hyperparameters::Optimized;
        Schedule { iterations, draws, thin, trace_every, optimizes }
    }
}
