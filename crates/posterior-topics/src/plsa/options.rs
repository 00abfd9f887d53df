//! Options of probabilistic latent semantic analysis.

use posterior_inference::em::EmOptions;
use posterior_math::ParamError;
use posterior_math::check;

/// The type's name in errors.
const NAME: &str = "Plsa";

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlsaOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The Dirichlet concentration of each topic in a document, at least 1: EM finds the mode, to which each
    /// topic of each document adds `topic_prior - 1` tokens. Default 1, which is flat: maximum likelihood.
    pub topic_prior: f64,
    /// The Dirichlet concentration of each word in a topic, at least 1. Default 1, which is flat. With it
    /// words that the corpus does not have are impossible.
    pub word_prior: f64,
    /// The fit converges when a step changes the objective by no more than this proportion of it. Default
    /// 1e-7.
    pub tolerance: f64,
    /// The largest number of steps. Default 200.
    pub max_iterations: usize,
    /// Random starts, of whose fits the best is returned; at least one is made. Default 1.
    pub starts: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for PlsaOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            topic_prior: 1.0,
            word_prior: 1.0,
            tolerance: 1e-7,
            max_iterations: 200,
            starts: 1,
            seed: 0,
        }
    }
}

impl PlsaOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        check::at_least_one(NAME, "topics", self.topics)?;
        for (name, value) in [("topic_prior", self.topic_prior), ("word_prior", self.word_prior)] {
            let mode = value >= 1.0 && value.is_finite();
            check::require(mode, NAME, name, value, "at least 1 and finite, so that there is a mode")?;
        }
        check::non_negative(NAME, "tolerance", self.tolerance)?;
        Ok(())
    }

    /// For the driver.
    pub(super) fn em(&self) -> EmOptions {
        EmOptions { tolerance: self.tolerance, max_iterations: self.max_iterations, ..EmOptions::default() }
    }
}
