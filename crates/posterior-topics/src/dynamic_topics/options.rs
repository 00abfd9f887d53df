//! Options of dynamic topics.

use posterior_math::{ParamError, check};

use crate::chain::Schedule;
use crate::lda::{Concentration, concentration};

pub(super) const NAME: &str = "DynamicTopics";

/// Options of [`fit`](super::fit). All but `threads` shape the result.
///
/// ```
/// use posterior_topics::dynamic_topics::DynamicTopicsOptions;
///
/// let options = DynamicTopicsOptions { topics: 8, ..DynamicTopicsOptions::default() };
/// assert_eq!(options.first_variance, 4.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicTopicsOptions {
    /// The number of topics, at least 1. 20 by default.
    pub topics: usize,
    /// Sweeps over all tokens and paths, at least 1. 1000 by default.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// `s^2`, the variance of the number of a word at the first time, at most 100. 4 by default.
    pub first_variance: f64,
    /// Shape and scale of the inverse gamma distribution of the drift `sigma^2` before the corpus is seen.
    /// `[1, 0.01]` by default.
    pub drift_prior: [f64; 2],
    /// States of the chain that are averaged, the last one included, at least 1. 100 by default.
    pub draws: usize,
    /// Sweeps between two of them, at least 1. 5 by default.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace, at least 1. 10 by default.
    pub trace_every: usize,
    /// The seed. 0 by default.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. 0 by default.
    pub threads: usize,
}

impl Default for DynamicTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 1000,
            alpha: Concentration::Default,
            first_variance: 4.0,
            drift_prior: [1.0, 0.01],
            draws: 100,
            thin: 5,
            trace_every: 10,
            seed: 0,
            threads: 0,
        }
    }
}

impl DynamicTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        concentration::check_topics(NAME, self.topics)?;
        self.alpha.of_topics_in(NAME, self.topics)?;
        self.schedule().check(NAME)?;
        let fits = self.first_variance > 0.0 && self.first_variance <= 100.0;
        check::require(fits, NAME, "first_variance", self.first_variance, "positive and at most 100")?;
        let [shape, scale] = self.drift_prior;
        for (name, value) in [("shape of the drift", shape), ("scale of the drift", scale)] {
            concentration::check(NAME, name, value)?;
        }
        Ok(())
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }
}
