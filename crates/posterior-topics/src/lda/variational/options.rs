//! Options of variational Bayes.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::DocumentStart;
use super::documents::Limits;
use super::topic_posterior::TopicFactor;
use crate::lda::start::VariationalStart;
use crate::lda::{Concentration, Hyperparameters, WordWeights, word_weights};

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LdaVariationalOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Passes over the corpus at most. Default 200.
    pub max_iterations: usize,
    /// The fit converges when a pass changes the bound by no more than this proportion of it. Default 1e-6.
    pub tolerance: f64,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// How the concentrations of words differ, in all topics or between them. Default: they are all `beta`.
    pub word_weights: WordWeights,
    /// Whether `alpha`, one a topic, and `beta` are fitted. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// Whether topics have a distribution or are points. Default: a Dirichlet each.
    pub topic_factor: TopicFactor,
    /// The start of the fit. Default: five passes of collapsed variational Bayes.
    pub start: VariationalStart,
    /// The start of the fixed point of a document in each pass. Default: where it ended, so that the bound
    /// never falls. [`DocumentStart::Restart`] has predicted unseen documents as well or better: see
    /// [`VariationalStart`].
    pub documents: DocumentStart,
    /// Steps of a document's fixed point within a pass, at least 1. Default 10.
    pub document_steps: usize,
    /// The mean change of a document's expected topic counts at which its fixed point ends. Default 1e-3.
    pub document_tolerance: f64,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LdaVariationalOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            max_iterations: 200,
            tolerance: 1e-6,
            alpha: Concentration::Default,
            beta: 0.01,
            word_weights: WordWeights::Equal,
            hyperparameters: Hyperparameters::Fixed,
            topic_factor: TopicFactor::Dirichlet,
            start: VariationalStart::Collapsed(5),
            documents: DocumentStart::Continue,
            document_steps: 10,
            document_tolerance: 1e-3,
            seed: 0,
            threads: 0,
        }
    }
}

impl LdaVariationalOptions {
    /// Checks every option but the start, which needs the corpus.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        word_weights::check_prior(self.topics, &self.alpha, self.beta, &self.word_weights)?;
        check::at_least_one("Lda", "max_iterations", self.max_iterations)?;
        check::at_least_one("Lda", "document_steps", self.document_steps)?;
        check::non_negative("Lda", "tolerance", self.tolerance)?;
        check::non_negative("Lda", "document_tolerance", self.document_tolerance)?;
        Ok(())
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { begin: self.documents, steps: self.document_steps, tolerance: self.document_tolerance }
    }
}
