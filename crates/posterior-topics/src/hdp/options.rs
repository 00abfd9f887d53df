//! Options of a hierarchical Dirichlet process.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::chain::Schedule;
use crate::lda::{Hyperparameters, concentration};

/// The name of the model in errors.
const NAME: &str = "Hdp";

/// Concentrations are kept between these: products of a few stay far from under- and overflow.
pub(super) const LEAST_CONCENTRATION: f64 = 1e-30;
pub(super) const LARGEST_CONCENTRATION: f64 = 1e30;

/// The variables of a chain. Both have the same distribution of topics of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Representation {
    /// Topics of tokens, and the weights of topics in the corpus:
    /// [`DirectAssignment`](super::DirectAssignment). The faster.
    #[default]
    DirectAssignment,
    /// Tables of tokens, and topics of tables: [`Franchise`](super::Franchise).
    Franchise,
}

/// Options of [`fit`](super::fit).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HdpOptions {
    /// The variables of the chain.
    pub representation: Representation,
    /// Topics at the start, one for all tokens of a document, and no more than documents; at least 1.
    /// Default 20.
    pub initial_topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: usize,
    /// α₀ at the start, or for good without a prior. Default 1.
    pub alpha: f64,
    /// Shape and rate of the gamma prior of α₀, `None` to leave it as it is. Default `[1, 1]`.
    pub alpha_prior: Option<[f64; 2]>,
    /// γ at the start, or for good without a prior. Default 1.
    pub gamma: f64,
    /// Shape and rate of the gamma prior of γ, `None` to leave it as it is. Default `[1, 1]`.
    pub gamma_prior: Option<[f64; 2]>,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Whether `beta` is learned: by fixed points in the first half of the sweeps. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// States whose counts are pooled for the estimates, the last one included, or those in the last half of
    /// the sweeps. Default 10.
    pub draws: usize,
    /// Sweeps between two pooled states. Default 10.
    pub thin: usize,
    /// Sweeps between two points of the trace. Default 10.
    pub trace_every: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for HdpOptions {
    fn default() -> Self {
        Self {
            representation: Representation::DirectAssignment,
            initial_topics: 20,
            iterations: 1000,
            alpha: 1.0,
            alpha_prior: Some([1.0, 1.0]),
            gamma: 1.0,
            gamma_prior: Some([1.0, 1.0]),
            beta: 0.01,
            hyperparameters: Hyperparameters::Fixed,
            draws: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl HdpOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let initial = self.initial_topics;
        let fits = (1..=usize::from(u16::MAX)).contains(&initial);
        check::require(fits, NAME, "initial_topics", initial as f64, "from 1 to 65535")?;
        self.schedule().check(NAME)?;
        let prior = |prior: Option<[f64; 2]>| prior.unwrap_or([1.0, 1.0]);
        let ([alpha_shape, alpha_rate], [gamma_shape, gamma_rate]) =
            (prior(self.alpha_prior), prior(self.gamma_prior));
        let concentrations = [
            ("alpha", self.alpha),
            ("gamma", self.gamma),
            ("beta", self.beta),
            ("shape of alpha", alpha_shape),
            ("rate of alpha", alpha_rate),
            ("shape of gamma", gamma_shape),
            ("rate of gamma", gamma_rate),
        ];
        for (name, value) in concentrations {
            concentration::check(NAME, name, value)?;
        }
        Ok(())
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        // The sweeps fit the concentration of words themselves.
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }

    /// The sweep from which on the topics are held, so that states can be pooled: for half of the sweeps at
    /// most.
    pub fn held_from(&self) -> usize {
        self.iterations - self.thin.saturating_mul(self.draws.saturating_sub(1)).min(self.iterations / 2)
    }

    /// Whether the topics are held after `sweep` sweeps.
    pub(super) fn is_held(&self, sweep: usize) -> bool {
        sweep >= self.held_from()
    }

    /// Whether the concentration of words is fitted after `sweep` sweeps.
    pub(super) fn is_optimized(&self, sweep: usize) -> bool {
        self.hyperparameters == Hyperparameters::Optimized
            && sweep > 20
            && sweep.is_multiple_of(10)
            && sweep <= self.iterations / 2
    }
}
