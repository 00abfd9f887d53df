//! Options of latent Dirichlet allocation.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::seeds::{self, Seed};
use crate::error::index;
use crate::lda::Hyperparameters;
use crate::{Corpus, Error};

/// The smallest prior concentration that is accepted: products of two stay far from underflow.
const LEAST_CONCENTRATION: f64 = 1e-30;

/// How the topic of a token is drawn. All draw from the same distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Sampler {
    /// [`Sampler::Sparse`] from 400 topics on, else [`Sampler::Dense`].
    #[default]
    Auto,
    /// The weights of all topics by the vectors of the machine: the fastest for hundreds of topics at most.
    Dense,
    /// Topics of the document, and sums for all others (Yao, Mimno and McCallum 2009): cost by the topics of
    /// the document.
    Sparse,
    /// Proposals that are the topic of another token of the document or of the word, accepted or not:
    /// constant cost, whatever the number of topics and of those that a document has. A sweep moves the chain
    /// less than one of the others: with documents of two hundred tokens, and a thousand topics,
    /// [`Sampler::Sparse`] gets further in the same time. It is for long documents with very many topics
    /// each, and never the choice of [`Sampler::Auto`].
    MetropolisHastings,
}

/// Topics and weights for each word.
pub(super) type WordSeeds = Vec<Vec<(u16, f64)>>;

/// From so many topics on the sparse sampler is the faster one.
const MANY_TOPICS: usize = 400;

/// The first topics of the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Start {
    /// Each token draws its topic uniformly.
    #[default]
    Uniform,
    /// Each token draws its topic given the tokens before it, in one pass, at the cost of a few sweeps. The
    /// first words of a topic then attract all of their kind: the joint likelihood starts high, with a
    /// thousand topics as high as after a dozen sweeps from a uniform start; with few topics it starts even
    /// above what the posterior has, and the words leave their topics so slowly that unseen documents are
    /// predicted worse for hundreds of sweeps. Of use where sweeps are few and topics many.
    Progressive,
}

/// Options of [`fit`](super::fit). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: u32,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Option<f64>,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Whether `alpha` and `beta` are fitted. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// States of the chain whose counts are pooled for the estimates, the last one included. Default 10.
    pub samples: u32,
    /// Sweeps between two pooled states. Default 10.
    pub thin: u32,
    /// Sweeps between two values of the joint log-likelihood in the trace. Default 10.
    pub trace_every: u32,
    /// How topics are drawn. Default: [`Sampler::Auto`].
    pub sampler: Sampler,
    /// The first topics. Default: [`Start::Uniform`].
    pub start: Start,
    /// Seed words of topics. A fit with seeds keeps the numbers of its topics, and keeps `beta` as it is. The
    /// weights count as expected tokens of the fitted model. Default: none.
    pub seeds: Vec<Seed>,
    /// Concentrations of the topics, instead of `alpha` for all. Default: none.
    pub alphas: Option<Vec<f64>>,
    /// Groups that documents and words are shared out to, which bounds the threads that can help.
    /// Default: one below 20,000 tokens, four below four million, else eight.
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
            sampler: Sampler::default(),
            start: Start::default(),
            seeds: Vec::new(),
            alphas: None,
            groups: None,
            seed: 0,
            threads: 0,
        }
    }
}

impl Options {
    /// The concentration of each topic before any learning.
    pub fn initial_alpha(&self) -> f64 {
        self.alpha.unwrap_or(5.0 / self.topics as f64)
    }

    /// The concentrations of all topics before any learning.
    pub(super) fn first_alpha(&self) -> Vec<f64> {
        self.alphas.clone().unwrap_or_else(|| vec![self.initial_alpha(); self.topics])
    }

    /// The sampler that is used.
    pub(super) fn resolved_sampler(&self) -> Sampler {
        match self.sampler {
            Sampler::Auto if self.topics >= MANY_TOPICS => Sampler::Sparse,
            Sampler::Auto => Sampler::Dense,
            chosen => chosen,
        }
    }

    /// Topics and weights for each word; empty without seeds.
    pub(super) fn seeds_by_word(&self, corpus: &Corpus) -> Result<WordSeeds, Error> {
        if self.seeds.is_empty() {
            return Ok(Vec::new());
        }
        let words = corpus.vocabulary().len();
        let mut by_word = vec![Vec::new(); words];
        for (word, topic, weight) in seeds::merged(&self.seeds) {
            index("seed word", word, words)?;
            by_word[word].push((topic as u16, weight));
        }
        Ok(by_word)
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
            check::at_least_one("Lda", name, count)?;
        }
        check::at_least_one("Lda", "trace_every", self.trace_every)?;
        check::at_least_one("Lda", "groups", self.groups.unwrap_or(1))?;
        for (name, value) in [("alpha", self.initial_alpha()), ("beta", self.beta)] {
            if !(LEAST_CONCENTRATION..=1e30).contains(&value) {
                return refuse(name, value, "from 1e-30 to 1e30");
            }
        }
        if let Some(alphas) = &self.alphas {
            if alphas.len() != self.topics {
                return refuse("alphas", alphas.len() as f64, "as many as topics");
            }
            if let Some(&value) = alphas.iter().find(|a| !(LEAST_CONCENTRATION..=1e30).contains(*a)) {
                return refuse("alphas", value, "from 1e-30 to 1e30");
            }
        }
        for seed in &self.seeds {
            if seed.topic >= self.topics {
                return refuse("seeds", seed.topic as f64, "topics below the number of topics");
            }
            if !(LEAST_CONCENTRATION..=1e30).contains(&seed.weight) {
                return refuse("seeds", seed.weight, "weights from 1e-30 to 1e30");
            }
        }
        Ok(())
    }

    /// Whether the state after `sweep` sweeps is one of those that are pooled.
    pub(in crate::lda) fn is_pooled(&self, sweep: u32) -> bool {
        let left = self.iterations.saturating_sub(sweep);
        left.is_multiple_of(self.thin) && left / self.thin < self.samples
    }

    /// Whether the concentrations are fitted after `sweep` sweeps.
    pub(in crate::lda) fn is_optimized(&self, sweep: u32) -> bool {
        let burn_in = self.iterations.saturating_sub(self.thin.saturating_mul(self.samples - 1));
        self.hyperparameters == Hyperparameters::Optimized
            && sweep > 20
            && sweep.is_multiple_of(10)
            && sweep < burn_in
    }
}
