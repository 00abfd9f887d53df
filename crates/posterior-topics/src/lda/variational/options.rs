//! What a fit by variational Bayes can be told.

use posterior_math::ParamError;
use serde::{Deserialize, Serialize};

use super::documents::Limits;
use super::{DocumentStart, Start};
use crate::lda::{Concentration, Hyperparameters, concentration};

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Passes over the corpus at most. Default 200.
    pub iterations: usize,
    /// The fit converges when a pass changes the bound by no more than this share of it. Default 1e-6.
    pub tolerance: f64,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Whether `alpha`, one a topic, and `beta` are learnt. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// Where the fit begins. Default: five passes of collapsed variational Bayes.
    pub start: Start,
    /// Where the fixed point of a document begins in each pass. Default: where it ended, so that the bound never falls.
    /// [`DocumentStart::Restart`] has predicted unseen documents as well or better: see [`Start`].
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

impl Default for Options {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 200,
            tolerance: 1e-6,
            alpha: Concentration::Default,
            beta: 0.01,
            hyperparameters: Hyperparameters::Fixed,
            start: Start::Collapsed(5),
            documents: DocumentStart::Continue,
            document_steps: 10,
            document_tolerance: 1e-3,
            seed: 0,
            threads: 0,
        }
    }
}

impl Options {
    /// The same with another number of topics.
    #[must_use]
    pub fn with_topics(self, topics: usize) -> Self {
        Self { topics, ..self }
    }

    /// The same with another limit of passes.
    #[must_use]
    pub fn with_iterations(self, iterations: usize) -> Self {
        Self { iterations, ..self }
    }

    /// The same with another tolerance of the bound.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The same with other concentrations of topics: a number for all, or one for each.
    #[must_use]
    pub fn with_alpha(self, alpha: impl Into<Concentration>) -> Self {
        Self { alpha: alpha.into(), ..self }
    }

    /// The same with another concentration of words.
    #[must_use]
    pub fn with_beta(self, beta: f64) -> Self {
        Self { beta, ..self }
    }

    /// The same with fixed or learnt concentrations.
    #[must_use]
    pub fn with_hyperparameters(self, hyperparameters: Hyperparameters) -> Self {
        Self { hyperparameters, ..self }
    }

    /// The same from another start.
    #[must_use]
    pub fn with_start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// The same with documents that begin otherwise.
    #[must_use]
    pub fn with_documents(self, documents: DocumentStart) -> Self {
        Self { documents, ..self }
    }

    /// The same with another limit of steps of a document within a pass.
    #[must_use]
    pub fn with_document_steps(self, document_steps: usize) -> Self {
        Self { document_steps, ..self }
    }

    /// The same with another tolerance of a document's fixed point.
    #[must_use]
    pub fn with_document_tolerance(self, document_tolerance: f64) -> Self {
        Self { document_tolerance, ..self }
    }

    /// The same with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same with another number of threads; 0 for all cores.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Checks every option but the start, which needs the corpus.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let refuse = |name, value, need| Err(ParamError::new("Lda", name, value, need));
        concentration::check_topics(self.topics)?;
        for (name, count) in [("iterations", self.iterations), ("document_steps", self.document_steps)] {
            if count == 0 {
                return refuse(name, 0.0, "at least 1");
            }
        }
        for (name, value) in [("tolerance", self.tolerance), ("document_tolerance", self.document_tolerance)]
        {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(name, value, "finite and not negative");
            }
        }
        self.alpha.of_topics(self.topics)?;
        concentration::check("beta", self.beta)?;
        Ok(())
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { begin: self.documents, steps: self.document_steps, tolerance: self.document_tolerance }
    }
}
