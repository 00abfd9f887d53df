//! Options of uncollapsed Gibbs sampling.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::lda::{Concentration, Hyperparameters, concentration, gibbs};

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: u32,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Whether `alpha` and `beta` are fitted, before states are pooled. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// States of the chain whose counts are pooled for the estimates, the last one included. Default 10.
    pub samples: u32,
    /// Sweeps between two pooled states. Default 10.
    pub thin: u32,
    /// Sweeps between two values of the joint log-likelihood in the trace. Default 10.
    pub trace_every: u32,
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
            iterations: 1000,
            alpha: Concentration::Default,
            beta: 0.01,
            hyperparameters: Hyperparameters::Fixed,
            samples: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
            threads: 0,
        }
    }
}

impl Options {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        concentration::check_topics(self.topics)?;
        for (name, count) in [
            ("iterations", self.iterations),
            ("samples", self.samples),
            ("thin", self.thin),
            ("trace_every", self.trace_every),
        ] {
            check::at_least_one("Lda", name, count)?;
        }
        self.alpha.of_topics(self.topics)?;
        concentration::check("beta", self.beta)?;
        Ok(())
    }

    /// The options of the collapsed sampler that pools the same states and learns concentrations after the
    /// same sweeps.
    pub(super) fn schedule(&self) -> gibbs::Options {
        gibbs::Options {
            topics: self.topics,
            iterations: self.iterations,
            hyperparameters: self.hyperparameters,
            samples: self.samples,
            thin: self.thin,
            ..gibbs::Options::default()
        }
    }
}
