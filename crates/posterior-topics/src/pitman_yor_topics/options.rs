//! Options of Pitman-Yor topics.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::level::{Level, LevelPrior};
use crate::lda::Hyperparameters;

/// What the words of topics are drawn around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Base {
    /// All words alike.
    Uniform,
    /// A distribution that all topics share and that is fitted, itself a Pitman-Yor process around all words
    /// alike.
    #[default]
    Shared,
}

/// Options of [`fit`](super::fit). All shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: u32,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Option<f64>,
    /// Whether `alpha` is fitted, topic by topic. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// What topics are drawn around. Default: shared.
    pub base: Base,
    /// Discount and strength of the topics at the start, or for good without a prior. Default 0.5 and 10.
    pub level: Level,
    /// Discount and strength of the shared base, likewise. Default 0.5 and 10.
    pub base_level: Level,
    /// The prior of both pairs, `None` to leave them as they are.
    pub prior: Option<LevelPrior>,
    /// States that are pooled for the estimates, the last one included. Default 10.
    pub samples: u32,
    /// Sweeps between two pooled states. Default 10.
    pub thin: u32,
    /// Sweeps between two points of the trace. Default 10.
    pub trace_every: u32,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        let level = Level { discount: 0.5, strength: 10.0 };
        Self {
            topics: 20,
            iterations: 1000,
            alpha: None,
            hyperparameters: Hyperparameters::Fixed,
            base: Base::Shared,
            level,
            base_level: level,
            prior: Some(LevelPrior::default()),
            samples: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl Options {
    /// The concentration of each topic before any learning.
    pub fn initial_alpha(&self) -> f64 {
        self.alpha.unwrap_or(5.0 / self.topics as f64)
    }

    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let refuse = |name, value, need| Err(ParamError::new("PitmanYorTopics", name, value, need));
        if self.topics == 0 || self.topics > usize::from(u16::MAX) {
            return refuse("topics", self.topics as f64, "from 1 to 65535");
        }
        let counts = [
            ("iterations", self.iterations),
            ("samples", self.samples),
            ("thin", self.thin),
            ("trace_every", self.trace_every),
        ];
        for (name, count) in counts {
            check::at_least_one("PitmanYorTopics", name, count)?;
        }
        if !(1e-30..=1e30).contains(&self.initial_alpha()) {
            return refuse("alpha", self.initial_alpha(), "from 1e-30 to 1e30");
        }
        self.level.check()?;
        self.base_level.check()?;
        self.prior.map_or(Ok(()), |prior| prior.check())
    }

    /// Whether the state after `sweep` sweeps is one of those that are pooled.
    pub(super) fn is_pooled(&self, sweep: u32) -> bool {
        let left = self.iterations.saturating_sub(sweep);
        left.is_multiple_of(self.thin) && left / self.thin < self.samples
    }

    /// Whether `alpha` is fitted after `sweep` sweeps: until the first pooled state.
    pub(super) fn is_optimized(&self, sweep: u32) -> bool {
        let burn_in = self.iterations.saturating_sub(self.thin.saturating_mul(self.samples - 1));
        self.hyperparameters == Hyperparameters::Optimized
            && sweep > 20
            && sweep.is_multiple_of(10)
            && sweep < burn_in
    }
}
