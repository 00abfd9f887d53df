//! Options of a mixture of unigrams by EM.

use posterior_inference::em::EmOptions;
use posterior_math::ParamError;
use posterior_math::check;

/// The type's name in errors.
const NAME: &str = "DocumentMixture";

/// The E step's treatment of the topic of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TopicAssignment {
    /// Its probabilities: EM.
    #[default]
    Soft,
    /// The most probable one, the first of equals: classification EM.
    Hard,
    /// One that is drawn: stochastic EM.
    Sampled,
}

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentMixtureOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The treatment of the topic of a document. Default: soft.
    pub assignment: TopicAssignment,
    /// The Dirichlet concentration of each topic's weight, at least 1. Default 1, which is flat.
    pub weight_prior: f64,
    /// The Dirichlet concentration of each word in a topic, at least 1. Default 1, which is flat: a word that
    /// a topic does not have rules it out.
    pub word_prior: f64,
    /// The fit converges when a step changes the objective by no more than this proportion of it. Default
    /// 1e-9.
    pub tolerance: f64,
    /// The largest number of steps. Default 200.
    pub max_iterations: usize,
    /// Random starts, of whose fits the best is returned; at least one is made. Default 1.
    pub starts: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for DocumentMixtureOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            assignment: TopicAssignment::Soft,
            weight_prior: 1.0,
            word_prior: 1.0,
            tolerance: 1e-9,
            max_iterations: 200,
            starts: 1,
            seed: 0,
        }
    }
}

impl DocumentMixtureOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        check::at_least_one(NAME, "topics", self.topics)?;
        for (name, value) in [("weight_prior", self.weight_prior), ("word_prior", self.word_prior)] {
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
