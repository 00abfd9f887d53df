//! Options of labelled topics.

use posterior_math::{ParamError, check};

use crate::chain::Schedule;
use crate::lda::concentration;

pub(super) const NAME: &str = "LabelledTopics";

/// Options of [`fit`](super::fit).
///
/// ```
/// use posterior_topics::labelled_topics::LabelledTopicsOptions;
///
/// let options = LabelledTopicsOptions { background: 2, ..LabelledTopicsOptions::default() };
/// assert_eq!(options.alpha, 0.1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledTopicsOptions {
    /// Topics beside those of the labels, which all documents may have: words of no label in particular. 1 by
    /// default; with 0 each document needs a label.
    pub background: usize,
    /// The concentration of each topic that a document may have. 0.1 by default.
    pub alpha: f64,
    /// The Dirichlet concentration of each word in a topic. 0.01 by default.
    pub beta: f64,
    /// Sweeps over all tokens, at least 1. 500 by default.
    pub iterations: usize,
    /// States of the chain whose counts are pooled for the estimates, the last one included, at least 1. 10
    /// by default.
    pub draws: usize,
    /// Sweeps between two pooled states, at least 1. 10 by default.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace, at least 1. 10 by default.
    pub trace_every: usize,
    /// The seed. 0 by default.
    pub seed: u64,
}

impl Default for LabelledTopicsOptions {
    fn default() -> Self {
        Self {
            background: 1,
            alpha: 0.1,
            beta: 0.01,
            iterations: 500,
            draws: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl LabelledTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        const MOST: usize = u16::MAX as usize;
        let background = self.background as f64;
        check::require(self.background <= MOST, NAME, "background", background, "at most 65535")?;
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            concentration::check(NAME, name, value)?;
        }
        self.schedule().check(NAME)
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }
}
