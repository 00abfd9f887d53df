//! Options of Pitman-Yor topics.

use posterior_dist::{PitmanYor, PitmanYorPrior};
use posterior_math::ParamError;
use serde::{Deserialize, Serialize};

use crate::chain::Schedule;
use crate::lda::{Concentration, Hyperparameters, concentration};

/// The name of the model in errors.
pub(super) const NAME: &str = "PitmanYorTopics";

/// The distribution around which the words of topics are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Base {
    /// All words alike.
    Uniform,
    /// A distribution common to all topics, fitted, itself a Pitman-Yor process around all
    /// words alike.
    #[default]
    Shared,
}

/// Options of [`fit`](super::fit). All shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PitmanYorTopicsOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// Whether `alpha` is fitted, topic by topic. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// The distribution around which topics are drawn. Default: shared.
    pub base: Base,
    /// Discount and concentration of the topics at the start, or for good without a prior. Default 0.5 and
    /// 10.
    pub level: PitmanYor,
    /// Discount and concentration of the shared base, likewise. Default 0.5 and 10.
    pub base_level: PitmanYor,
    /// The prior of both pairs, `None` to leave them as they are. Default: uniform discounts, and exponential
    /// concentrations with mean 100.
    pub prior: Option<PitmanYorPrior>,
    /// States that are pooled for the estimates, the last one included. Default 10.
    pub draws: usize,
    /// Sweeps between two pooled states. Default 10.
    pub thin: usize,
    /// Sweeps between two points of the trace. Default 10.
    pub trace_every: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for PitmanYorTopicsOptions {
    fn default() -> Self {
        let level = PitmanYor::new(0.5, 10.0).expect("invariant: both are in range");
        Self {
            topics: 20,
            iterations: 1000,
            alpha: Concentration::Default,
            hyperparameters: Hyperparameters::Fixed,
            base: Base::Shared,
            level,
            base_level: level,
            prior: Some(PitmanYorPrior { discount: [1.0, 1.0], concentration: [1.0, 0.01] }),
            draws: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl PitmanYorTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        concentration::check_topics(NAME, self.topics)?;
        self.schedule().check(NAME)?;
        self.alpha.of_topics_in(NAME, self.topics)?;
        for (name, level) in [("level", self.level), ("base_level", self.base_level)] {
            concentration::check(NAME, name, level.concentration())?;
        }
        self.prior.map_or(Ok(()), |prior| prior.check())
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        let optimizes = self.hyperparameters == Hyperparameters::Optimized;
        Schedule { iterations, draws, thin, trace_every, optimizes }
    }
}
