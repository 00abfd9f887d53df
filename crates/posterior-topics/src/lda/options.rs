//! What a fit of latent Dirichlet allocation can be told.

use posterior_math::ParamError;
use serde::{Deserialize, Serialize};

/// The smallest prior concentration that is accepted: products of two stay far from underflow.
const LEAST_CONCENTRATION: f64 = 1e-30;

/// Whether the concentrations of the priors are learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hyperparameters {
    /// They stay as given.
    #[default]
    Fixed,
    /// Minka's fixed point on the counts, every ten sweeps after the first twenty and until the first
    /// retained state: `alpha` a topic, `beta` the same for all words (Wallach, Mimno and McCallum 2009).
    Optimized,
}

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: u32,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Option<f64>,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Whether `alpha` and `beta` are learnt. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// States of the chain whose counts are pooled for the estimates, the last one included. Default 10.
    pub samples: u32,
    /// Sweeps between two pooled states. Default 10.
    pub thin: u32,
    /// Sweeps between two values of the joint log-likelihood in the trace. Default 10.
    pub trace_every: u32,
    /// Groups that documents and words are shared out to, which bounds the threads that can help.
    /// Default: one below 20,000 tokens, else eight.
    pub groups: Option<usize>,
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
            alpha: None,
            beta: 0.01,
            hyperparameters: Hyperparameters::Fixed,
            samples: 10,
            thin: 10,
            trace_every: 10,
            groups: None,
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

    /// The same with another number of sweeps.
    #[must_use]
    pub fn with_iterations(self, iterations: u32) -> Self {
        Self { iterations, ..self }
    }

    /// The same with another concentration of topics, or `None` for `5 / topics`.
    #[must_use]
    pub fn with_alpha(self, alpha: Option<f64>) -> Self {
        Self { alpha, ..self }
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

    /// The same with another number of pooled states.
    #[must_use]
    pub fn with_samples(self, samples: u32) -> Self {
        Self { samples, ..self }
    }

    /// The same with other distances between pooled states.
    #[must_use]
    pub fn with_thin(self, thin: u32) -> Self {
        Self { thin, ..self }
    }

    /// The same with other distances between values of the trace.
    #[must_use]
    pub fn with_trace_every(self, trace_every: u32) -> Self {
        Self { trace_every, ..self }
    }

    /// The same with another number of groups, or `None` for the default.
    #[must_use]
    pub fn with_groups(self, groups: Option<usize>) -> Self {
        Self { groups, ..self }
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

    /// The concentration of each topic before any learning.
    pub fn initial_alpha(&self) -> f64 {
        self.alpha.unwrap_or(5.0 / self.topics as f64)
    }

    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let refuse = |name, value, need| Err(ParamError::new("Lda", name, value, need));
        if self.topics == 0 || self.topics > usize::from(u16::MAX) {
            return refuse("topics", self.topics as f64, "from 1 to 65535");
        }
        for (name, count) in [("iterations", self.iterations), ("samples", self.samples), ("thin", self.thin)]
        {
            if count == 0 {
                return refuse(name, 0.0, "at least 1");
            }
        }
        if self.trace_every == 0 {
            return refuse("trace_every", 0.0, "at least 1");
        }
        if self.groups == Some(0) {
            return refuse("groups", 0.0, "at least 1");
        }
        for (name, value) in [("alpha", self.initial_alpha()), ("beta", self.beta)] {
            if !(LEAST_CONCENTRATION..=1e30).contains(&value) {
                return refuse(name, value, "from 1e-30 to 1e30");
            }
        }
        Ok(())
    }

    /// Whether the state after `sweep` sweeps is one of those that are pooled.
    pub(super) fn is_pooled(&self, sweep: u32) -> bool {
        let left = self.iterations.saturating_sub(sweep);
        left.is_multiple_of(self.thin) && left / self.thin < self.samples
    }

    /// Whether the concentrations are learnt after `sweep` sweeps.
    pub(super) fn is_optimized(&self, sweep: u32) -> bool {
        let burn_in = self.iterations.saturating_sub(self.thin.saturating_mul(self.samples - 1));
        self.hyperparameters == Hyperparameters::Optimized
            && sweep > 20
            && sweep.is_multiple_of(10)
            && sweep < burn_in
    }
}
