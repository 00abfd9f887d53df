//! Options of a hierarchical Dirichlet process.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::lda::Hyperparameters;

/// Concentrations are kept between these: products of a few stay far from under- and overflow.
pub(super) const LEAST_CONCENTRATION: f64 = 1e-30;
pub(super) const LARGEST_CONCENTRATION: f64 = 1e30;

/// Which variables a chain keeps. Both have the same distribution of topics of tokens.
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
pub struct Options {
    /// The variables of the chain.
    pub representation: Representation,
    /// Topics at the start, one for all tokens of a document, and no more than documents; at least 1.
    /// Default 20.
    pub initial_topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: u32,
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
            samples: 10,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl Options {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let refuse = |name, value, need| Err(ParamError::new("Hdp", name, value, need));
        if self.initial_topics == 0 || self.initial_topics > usize::from(u16::MAX) {
            return refuse("initial_topics", self.initial_topics as f64, "from 1 to 65535");
        }
        let counts = [
            ("iterations", self.iterations),
            ("samples", self.samples),
            ("thin", self.thin),
            ("trace_every", self.trace_every),
        ];
        for (name, count) in counts {
            check::at_least_one("Hdp", name, count)?;
        }
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
            if !(LEAST_CONCENTRATION..=LARGEST_CONCENTRATION).contains(&value) {
                return refuse(name, value, "from 1e-30 to 1e30");
            }
        }
        Ok(())
    }

    /// Whether the topics are held after `sweep` sweeps, so that states can be pooled: for half of the sweeps
    /// at most.
    pub(super) fn is_held(&self, sweep: u32) -> bool {
        let left = self.iterations.saturating_sub(sweep);
        left <= self.thin.saturating_mul(self.samples - 1) && left <= self.iterations / 2
    }

    /// Whether the state after `sweep` sweeps is one of those that are pooled.
    pub(super) fn is_pooled(&self, sweep: u32) -> bool {
        self.is_held(sweep) && self.iterations.saturating_sub(sweep).is_multiple_of(self.thin)
    }

    /// Whether the concentration of words is fitted after `sweep` sweeps.
    pub(super) fn is_optimized(&self, sweep: u32) -> bool {
        self.hyperparameters == Hyperparameters::Optimized
            && sweep > 20
            && sweep.is_multiple_of(10)
            && sweep <= self.iterations / 2
    }
}
