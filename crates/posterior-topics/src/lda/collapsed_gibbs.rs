//! Collapsed Gibbs sampling: the chain over topic assignments.
//!
//! With one group of documents and words a sweep draws the topic of each token in turn from the conditional
//! of Griffiths and Steyvers (2004), topics and proportions integrated out.
//!
//! With `P > 1` groups, blocks of tokens are swept side by side and the chain stays exact. The words of
//! a topic meet in one place only, the denominator `n_k + V beta`. By the aggregation property of the
//! Dirichlet, a topic is a distribution over the groups of words, `psi_k ~ Dir(V_1 beta, .., V_P beta)`,
//! and within each group an independent Dirichlet over its words. So a sweep first draws
//! `psi_k | z ~ Dir(V_g beta + n_kg)`; given `psi`, tokens that share neither a document nor a word group
//! are independent, and the conditional has `psi_kg / (n_kg + V_g beta)` in place of
//! `1 / (n_k + V beta)`. That is a Gibbs sampler of `(psi, z)`, whose margin in `z` is the collapsed posterior.
//!
//! The generator of each block is a stream of its own, named by the sweep and the block: the chain depends
//! on the seed and the number of groups, never on threads.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use rand::RngExt;
use rand::distr::Distribution;
use rayon::prelude::*;

use super::blocks::Blocks;
use super::hyperparameters;
use super::joint;
use super::kernel::{PaddedPrior, sweep_block};
use super::options::Options;
use crate::{Corpus, Error};

/// Below this many tokens, one group is the default.
const TOKENS_FOR_GROUPS: u64 = 20_000;
const DEFAULT_GROUPS: usize = 8;

/// The names of the random streams under the seed.
const INITIAL: u64 = 0;
const MASSES: u64 = 1;
const TOKENS: u64 = 2;

/// A chain of topic assignments of a corpus, with the counts that go with them.
#[derive(Debug, Clone)]
pub struct CollapsedGibbs<'a> {
    corpus: &'a Corpus,
    blocks: Blocks,
    alpha: Vec<f64>,
    beta: f64,
    seed: u64,
    sweeps: u32,
}

impl<'a> CollapsedGibbs<'a> {
    /// A chain that starts from topics drawn uniformly.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &Options) -> Result<Self, Error> {
        options.check()?;
        let mut rng = stream(options.seed, &[INITIAL]);
        Self::start(corpus, options, || rng.random_range(0..options.topics as u16))
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within
    /// a document, and of repetitions.
    ///
    /// # Errors
    /// As [`CollapsedGibbs::new`]; or another number of topics than there are tokens, or a topic out of range.
    pub fn from_assignments(
        corpus: &'a Corpus,
        options: &Options,
        assignments: &[u16],
    ) -> Result<Self, Error> {
        options.check()?;
        if assignments.len() as u64 != corpus.tokens() {
            let (given, tokens) = (assignments.len(), corpus.tokens());
            return Err(Error::Corpus(format!("{given} topics for {tokens} tokens")));
        }
        if let Some(topic) = assignments.iter().find(|&&z| usize::from(z) >= options.topics) {
            return Err(Error::Corpus(format!("topic {topic} of {} topics", options.topics)));
        }
        let mut next = assignments.iter().copied();
        Self::start(corpus, options, || next.next().unwrap_or_default())
    }

    fn start(corpus: &'a Corpus, options: &Options, assign: impl FnMut() -> u16) -> Result<Self, Error> {
        if corpus.tokens() >= 1 << 31 {
            let message = format!("{} tokens: at most 2^31 - 1 can be sampled", corpus.tokens());
            return Err(Error::Corpus(message));
        }
        let default = if corpus.tokens() < TOKENS_FOR_GROUPS { 1 } else { DEFAULT_GROUPS };
        let most = corpus.documents().min(corpus.vocabulary().len());
        let groups = options.groups.unwrap_or(default).min(most);
        Ok(Self {
            corpus,
            blocks: Blocks::new(corpus, options.topics, groups, assign),
            alpha: vec![options.initial_alpha(); options.topics],
            beta: options.beta,
            seed: options.seed,
            sweeps: 0,
        })
    }

    /// Draws a new topic for every token once, on the threads of the current rayon pool.
    pub fn sweep(&mut self) {
        self.draw_masses();
        let mut alpha = self.alpha.clone();
        alpha.resize(self.blocks.stride, 0.0);
        let prior = PaddedPrior { alpha, beta: self.beta };
        let Blocks { documents, words, diagonals, .. } = &mut self.blocks;
        let (seed, sweep) = (self.seed, u64::from(self.sweeps));
        for (s, diagonal) in diagonals.iter_mut().enumerate() {
            let blocks = diagonal.par_iter_mut().zip(documents.par_iter_mut()).zip(words.par_iter_mut());
            blocks.enumerate().for_each(|(i, ((block, documents), words))| {
                let mut rng = stream(seed, &[TOKENS, sweep, s as u64, i as u64]);
                sweep_block(block, documents, words, &prior, &mut rng);
            });
            // Document group i meets word group i + s + 1 next; after the last diagonal all are back.
            words.rotate_left(1);
        }
        self.sweeps += 1;
    }

    /// Draws the share of each group of words in each topic, given the assignments.
    fn draw_masses(&mut self) {
        let words = &mut self.blocks.words;
        if words.len() == 1 {
            return;
        }
        let mut rng = stream(self.seed, &[MASSES, u64::from(self.sweeps)]);
        for k in 0..self.blocks.topics {
            let concentration: Vec<f64> =
                words.iter().map(|g| g.words as f64 * self.beta + f64::from(g.totals[k])).collect();
            let posterior = Dirichlet::new(&concentration).expect("counts plus positive concentrations");
            for (group, mass) in words.iter_mut().zip(posterior.sample(&mut rng)) {
                group.mass[k] = mass;
            }
        }
    }

    /// Moves `alpha` and `beta` uphill in the joint likelihood: to the Dirichlet-multinomial maximum for the
    /// current counts, from where they are.
    pub fn optimize_hyperparameters(&mut self) {
        let documents = (0..self.corpus.documents()).map(|d| self.blocks.document_row(d));
        let words = (0..self.corpus.vocabulary().len()).map(|v| self.blocks.word_row(v));
        self.alpha = hyperparameters::improve_alpha(documents, &self.alpha);
        self.beta = hyperparameters::improve_beta(words, self.alpha.len(), self.beta);
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// The number of groups of documents and of words.
    pub fn groups(&self) -> usize {
        self.blocks.documents.len()
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The Dirichlet concentration of each word in a topic.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Topic counts of document `d`.
    pub fn document_counts(&self, d: usize) -> &[u32] {
        self.blocks.document_row(d)
    }

    /// Topic counts of word `v`.
    pub fn word_counts(&self, v: usize) -> &[u32] {
        self.blocks.word_row(v)
    }

    /// The topic of each token, in the order of documents, of words within a document, and of repetitions.
    pub fn assignments(&self) -> Vec<u16> {
        self.blocks.assignments(self.corpus)
    }

    /// ln p(W, Z | alpha, beta), with the order of tokens given. Costs one pass over the counts.
    pub fn ln_joint(&self) -> f64 {
        let documents = (0..self.corpus.documents()).map(|d| self.blocks.document_row(d));
        let words = (0..self.corpus.vocabulary().len()).map(|v| self.blocks.word_row(v));
        joint::ln_joint(documents, words, &self.alpha, self.beta)
    }

    /// p(z = k | all other topics, words) for a token of document `d` with word `v` and topic `topic`, with
    /// proportions and topics integrated out.
    ///
    /// # Panics
    /// When the document holds no such token.
    #[track_caller]
    pub fn conditional(&self, d: usize, v: usize, topic: u16) -> Vec<f64> {
        let k = usize::from(topic);
        let mut document = self.blocks.document_row(d).to_vec();
        let mut word = self.blocks.word_row(v).to_vec();
        let mut totals = self.blocks.topic_totals();
        assert!(document[k] > 0 && word[k] > 0, "document {d} has no token of word {v} with topic {k}");
        document[k] -= 1;
        word[k] -= 1;
        totals[k] -= 1;
        let beta_sum = self.corpus.vocabulary().len() as f64 * self.beta;
        joint::conditional(&document, &word, &totals, &self.alpha, self.beta, beta_sum)
    }

    /// A chain continued from a saved state.
    pub(super) fn restore(
        corpus: &'a Corpus,
        options: &Options,
        assignments: &[u16],
        (alpha, beta): (Vec<f64>, f64),
        sweeps: u32,
    ) -> Result<Self, Error> {
        let chain = Self::from_assignments(corpus, options, assignments)?;
        Ok(Self { alpha, beta, sweeps, ..chain })
    }
}
