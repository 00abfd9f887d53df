//! Options of latent Dirichlet allocation.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::chain::Schedule;
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{Concentration, ConcentrationPrior, Hyperparameters, WordWeights, word_weights};
use crate::{Corpus, Error};

/// The sampler of the topic of a token. All draw from the same distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TopicSampler {
    /// [`TopicSampler::Sparse`] from 400 topics on, else [`TopicSampler::Dense`].
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
    /// [`TopicSampler::Sparse`] gets further in the same time. It is for long documents with very many topics
    /// each, and never the choice of [`TopicSampler::Auto`].
    MetropolisHastings,
}

/// From so many topics on the sparse sampler is the faster one.
const MANY_TOPICS: usize = 400;

/// Sweeps before concentrations are drawn for the first time.
const FIRST_SWEEPS: usize = 20;

/// The first topics of the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TopicStart {
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
pub struct LdaGibbsOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Default 1000.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// How the concentrations of words differ, in all topics or between them. Default: they are all `beta`.
    pub word_weights: WordWeights,
    /// Whether `alpha` and `beta` are fitted. Default: fixed.
    pub hyperparameters: Hyperparameters,
    /// The prior with which `alpha` and `beta` are drawn from their posterior distribution, beginning with
    /// those above; where words differ in theirs, `alpha` alone. Default: none, they are not drawn.
    pub concentration_prior: Option<ConcentrationPrior>,
    /// States of the chain whose counts are pooled for the estimates, the last one included. Default 10.
    pub draws: usize,
    /// Sweeps between two pooled states. Default 10.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace. Default 10.
    pub trace_every: usize,
    /// The sampler of topics. Default: [`TopicSampler::Auto`].
    pub sampler: TopicSampler,
    /// The first topics. Default: [`TopicStart::Uniform`].
    pub start: TopicStart,
    /// Groups that documents and words are shared out to, which bounds the threads that can help.
    /// Default: one below 20,000 tokens, four below four million, else eight.
    pub groups: Option<usize>,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LdaGibbsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 1000,
            alpha: Concentration::Default,
            beta: 0.01,
            word_weights: WordWeights::Equal,
            hyperparameters: Hyperparameters::Fixed,
            concentration_prior: None,
            draws: 10,
            thin: 10,
            trace_every: 10,
            sampler: TopicSampler::default(),
            start: TopicStart::default(),
            groups: None,
            seed: 0,
            threads: 0,
        }
    }
}

impl LdaGibbsOptions {
    /// The sampler that is used.
    pub(super) fn resolved_sampler(&self) -> TopicSampler {
        match self.sampler {
            TopicSampler::Auto if self.topics >= MANY_TOPICS => TopicSampler::Sparse,
            TopicSampler::Auto => TopicSampler::Dense,
            chosen => chosen,
        }
    }

    /// The concentrations of the words of a corpus in the topics.
    pub(super) fn concentrations(&self, corpus: &Corpus) -> Result<WordConcentrations, Error> {
        self.word_weights.concentrations(self.topics, corpus.vocabulary().len(), self.beta)
    }

    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        word_weights::check_prior(self.topics, &self.alpha, self.beta, &self.word_weights)?;
        self.schedule().check("Lda")?;
        check::at_least_one("Lda", "groups", self.groups.unwrap_or(1))?;
        if let Some(prior) = &self.concentration_prior {
            prior.check(&self.alpha.of_topics(self.topics)?)?;
            let fixed = self.hyperparameters == Hyperparameters::Fixed;
            let rule = "left out where hyperparameters are Optimized: concentrations are drawn or fitted";
            check::require(fixed, "Lda", "shape of the concentration_prior", prior.alpha[0], rule)?;
        }
        Ok(())
    }

    /// Whether concentrations are drawn after a sweep: not while all topics are still alike.
    pub(super) fn draws_after(&self, sweep: usize) -> Option<&ConcentrationPrior> {
        self.concentration_prior.as_ref().filter(|_| sweep > FIRST_SWEEPS.min(self.iterations / 2))
    }

    /// Whether the concentrations drawn after a sweep are kept: those of the second half of the sweeps.
    pub(super) fn keeps_after(&self, sweep: usize) -> bool {
        self.concentration_prior.is_some() && sweep > self.iterations / 2
    }

    /// Whether concentrations are drawn, one for each topic.
    pub(super) fn draws_asymmetric(&self) -> bool {
        self.concentration_prior.is_some_and(|prior| prior.asymmetric)
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        let optimizes = self.hyperparameters == Hyperparameters::Optimized;
        Schedule { iterations, draws, thin, trace_every, optimizes }
    }
}
