//! Options of stochastic variational Bayes.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::lda::start::VariationalStart;
use crate::lda::variational::{DocumentStart, Limits};
use crate::lda::{Concentration, Hyperparameters, WordWeights, word_weights};

/// Options of [`fit`](super::fit) and of [`OnlineVariationalBayes`](super::OnlineVariationalBayes). All but
/// `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LdaOnlineOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// How the concentrations of words differ, in all topics or between them. Default: they are all `beta`.
    pub word_weights: WordWeights,
    /// Whether `alpha`, one a topic, and `beta` are fitted, by the same rates as topics. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// Batches by which the rates are delayed, at least 1: the larger, the less the first batches weigh.
    /// Default 10.
    pub delay: f64,
    /// The speed with which rates fall, from 0 to 1. Above one half, the topics converge. Default 0.7.
    pub decay: f64,
    /// Documents in a batch of [`fit`](super::fit), at least 1. Default 256.
    pub batch: usize,
    /// Passes of [`fit`](super::fit) over the corpus, at least 1. Default 5.
    pub passes: usize,
    /// Documents of the whole stream. Default: as many as [`fit`](super::fit) has, or as were seen.
    pub documents: Option<usize>,
    /// Steps of a document's fixed point, at least 1. Default 10. More cost time, and may help or not: after
    /// one pass over a corpus, 100 steps gave a perplexity of 881 instead of 904 from
    /// [`VariationalStart::Documents`],
    /// and of 998 instead of 990 from [`VariationalStart::Noise`].
    pub document_steps: usize,
    /// The mean change of a document's expected topic counts at which its fixed point ends. Default 1e-2.
    pub document_tolerance: f64,
    /// The start of [`fit`](super::fit). Default: noise. A stream begins with noise or with a model.
    pub start: VariationalStart,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LdaOnlineOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            alpha: Concentration::Default,
            beta: 0.01,
            word_weights: WordWeights::Equal,
            hyperparameters: Hyperparameters::Fixed,
            delay: 10.0,
            decay: 0.7,
            batch: 256,
            passes: 5,
            documents: None,
            document_steps: 10,
            document_tolerance: 1e-2,
            start: VariationalStart::Noise,
            seed: 0,
            threads: 0,
        }
    }
}

impl LdaOnlineOptions {
    /// The rate of batch `t`, from 0: `(delay + t)^-decay`.
    pub fn rate(&self, t: u64) -> f64 {
        (self.delay + t as f64).powf(-self.decay)
    }

    /// Checks every option but the start, which needs the corpus.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        word_weights::check_prior(self.topics, &self.alpha, self.beta, &self.word_weights)?;
        for (name, count) in [
            ("batch", self.batch),
            ("passes", self.passes),
            ("documents", self.documents.unwrap_or(1)),
            ("document_steps", self.document_steps),
        ] {
            check::at_least_one("Lda", name, count)?;
        }
        let delay = (1.0..f64::INFINITY).contains(&self.delay);
        check::require(delay, "Lda", "delay", self.delay, "finite and at least 1")?;
        check::probability("Lda", "decay", self.decay)?;
        check::non_negative("Lda", "document_tolerance", self.document_tolerance)?;
        Ok(())
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            begin: DocumentStart::Restart,
            steps: self.document_steps,
            tolerance: self.document_tolerance,
        }
    }
}
