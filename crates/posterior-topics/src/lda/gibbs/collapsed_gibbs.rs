//! Collapsed Gibbs sampling: the chain over topic assignments.
//!
//! With one group of documents and words a sweep draws the topic of each token in turn from the conditional
//! of Griffiths and Steyvers (2004), topics and proportions integrated out.
//!
//! With `P > 1` groups, blocks of tokens are swept side by side and the chain stays exact. The words of a
//! topic meet in one place only, the denominator `n_k + V beta`. By the aggregation property of the
//! Dirichlet, a topic is a distribution over the groups of words, `psi_k ~ Dir(V_1 beta, .., V_P beta)`, and
//! within each group an independent Dirichlet over its words. So a sweep first draws
//! `psi_k | z ~ Dir(V_g beta + n_kg)`; given `psi`, tokens that share neither a document nor a word group are
//! independent, and the conditional has `psi_kg / (n_kg + V_g beta)` in place of `1 / (n_k + V beta)`. That
//! is a Gibbs sampler of `(psi, z)`, whose margin in `z` is the collapsed posterior.
//!
//! The generator of each block is a stream of its own, named by the sweep and the block: the chain depends
//! on the seed and the number of groups, never on threads.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use rand::distr::Distribution;
use rayon::prelude::*;

use super::blocks::{Blocks, Exchange, Sweep, WordGroup, stride};
use super::dense::dense_sweep;
use super::metropolis::metropolis_sweep;
use super::options::{LdaGibbsOptions, TopicSampler};
use super::prior::{TopicPrior, WordPrior};
use super::sizes::Sizes;
use super::sparse::sparse_sweep;
use super::start;
use super::vectors::{Task, Vectors, on_machine};
use crate::checks::topics_of_tokens;
use crate::lda::tally::Tally;
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{ConcentrationPrior, Lda, hyperparameters, joint};
use crate::{Corpus, Error};

/// The names of the random streams under the seed.
pub(super) const INITIAL: u64 = 0;
const MASSES: u64 = 1;
pub(super) const TOKENS: u64 = 2;
pub(super) const CONCENTRATIONS: u64 = 3;

/// A chain of topic assignments of a corpus, with the counts that go with them.
#[derive(Debug, Clone)]
pub struct LdaGibbs<'a> {
    corpus: &'a Corpus,
    blocks: Blocks,
    alpha: Vec<f64>,
    prior: WordConcentrations,
    seed: u64,
    sampler: TopicSampler,
    sweeps: usize,
}

impl<'a> LdaGibbs<'a> {
    /// A chain that starts as the options say.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &LdaGibbsOptions) -> Result<Self, Error> {
        options.check()?;
        crate::checks::sampleable(corpus)?;
        let concentrations = options.concentrations(corpus)?;
        let all: Vec<u32> = (0..corpus.vocabulary().len() as u32).collect();
        let words = WordPrior::new(&concentrations, &all, stride(options.topics));
        let assignments = start::assignments(corpus, options, &words, stream(options.seed, &[INITIAL]));
        Self::start(corpus, options, &assignments)
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within
    /// a document, and of repetitions.
    ///
    /// # Errors
    /// As [`LdaGibbs::new`]; or another number of topics than there are tokens, or a topic out of
    /// range.
    pub fn from_assignments(
        corpus: &'a Corpus,
        options: &LdaGibbsOptions,
        assignments: &[u16],
    ) -> Result<Self, Error> {
        options.check()?;
        topics_of_tokens(corpus.tokens(), assignments, options.topics)?;
        Self::start(corpus, options, assignments)
    }

    fn start(corpus: &'a Corpus, options: &LdaGibbsOptions, assignments: &[u16]) -> Result<Self, Error> {
        crate::checks::sampleable(corpus)?;
        let concentrations = options.concentrations(corpus)?;
        let sizes = Sizes::of(corpus);
        let groups = sizes.groups(options);
        let prior = |members: &[u32]| WordPrior::new(&concentrations, members, stride(options.topics));
        Ok(Self {
            corpus,
            blocks: Blocks::new(
                corpus,
                options.topics,
                groups,
                sizes.documents_in_chunk(options),
                assignments,
                prior,
            ),
            alpha: options.alpha.of_topics(options.topics)?,
            prior: concentrations,
            seed: options.seed,
            sampler: options.resolved_sampler(),
            sweeps: 0,
        })
    }

    /// Draws a new topic for every token once, on the threads of the current rayon pool.
    pub fn sweep(&mut self) {
        self.draw_masses();
        let prior = TopicPrior::new(&self.alpha, self.blocks.stride);
        let sampler = self.sampler;
        match sampler {
            TopicSampler::Sparse => self.blocks.exchange_lists(Exchange::ToLists),
            TopicSampler::MetropolisHastings => self.blocks.start_token_topics(),
            _ => {}
        }
        let Blocks { documents, words, diagonals, .. } = &mut self.blocks;
        let (seed, sweep) = (self.seed, self.sweeps as u64);
        for (s, diagonal) in diagonals.iter_mut().enumerate() {
            let blocks = diagonal.par_iter_mut().zip(documents.par_iter_mut()).zip(words.par_iter_mut());
            blocks.enumerate().for_each(|(i, ((block, documents), words))| {
                let mut rng = stream(seed, &[TOKENS, sweep, s as u64, i as u64]);
                on_machine((Sweep { block, documents, words, prior: &prior, rng: &mut rng }, sampler));
            });
            // Document group i meets word group i + s + 1 next; after the last diagonal all are back.
            words.rotate_left(1);
        }
        if sampler == TopicSampler::Sparse {
            self.blocks.exchange_lists(Exchange::FromLists);
        }
        self.sweeps += 1;
    }

    /// Draws the proportion of each group of words in each topic, given the assignments.
    fn draw_masses(&mut self) {
        let words = &mut self.blocks.words;
        let counts = |group: &WordGroup, k: usize| group.prior.sums()[k] + f64::from(group.totals[k]);
        let masses =
            masses(self.seed, self.sweeps, (words.len(), self.blocks.topics), |g, k| counts(&words[g], k));
        for (k, masses) in masses.iter().enumerate() {
            for (group, &mass) in words.iter_mut().zip(masses) {
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
        // Words with concentrations of their own keep them.
        if self.prior.is_equal() {
            let beta = hyperparameters::improve_beta(words, self.alpha.len(), self.beta());
            self.prior.set_equal(beta);
            self.blocks.set_beta(beta);
        }
    }

    /// Draws `alpha`, then `beta`, from their posterior distribution given the topics of all tokens, each
    /// number once; where words differ in their concentrations, `alpha` alone.
    ///
    /// Cost: a pass over the counts of documents and words.
    ///
    /// # Errors
    /// Shapes and rates out of range, or one concentration for all topics where they have several.
    pub fn draw_hyperparameters(&mut self, prior: &ConcentrationPrior) -> Result<(), Error> {
        prior.check(&self.alpha)?;
        let mut rng = stream(self.seed, &[CONCENTRATIONS, self.sweeps as u64]);
        let tally = self.tally();
        prior.draw_alpha(&tally, &mut self.alpha, &mut rng);
        if self.prior.is_equal() {
            let vocabulary = self.corpus.vocabulary().len();
            let totals = self.blocks.topic_totals().into_iter();
            let beta = prior.draw_beta((&tally, vocabulary), totals, self.beta(), &mut rng);
            self.prior.set_equal(beta);
            self.blocks.set_beta(beta);
        }
        Ok(())
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> usize {
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

    /// The Dirichlet concentration of each word in a topic; the least, where they differ.
    pub fn beta(&self) -> f64 {
        self.prior.least()
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
        let members = &self.blocks.word_partition.members;
        let words = |group: &Vec<u32>| {
            let rows = group.iter().map(|&v| (v as usize, self.blocks.word_row(v as usize)));
            joint::ln_unequal_words(rows, &self.prior)
        };
        let unequal: Vec<f64> = members.iter().map(words).collect();
        let totals = self.blocks.topic_totals().into_iter();
        joint::ln_joint(&self.tally(), totals, &self.alpha, &self.prior, &unequal)
    }

    fn tally(&self) -> Tally {
        let documents = (0..self.corpus.documents()).map(|d| self.blocks.document_row(d));
        let words = (0..self.corpus.vocabulary().len()).map(|v| self.blocks.word_row(v));
        Tally::of_rows(self.alpha.len(), documents, words)
    }

    /// The concentrations of words in topics.
    pub(super) fn prior(&self) -> &WordConcentrations {
        &self.prior
    }

    /// The model of this state alone, its topics in the order of the chain. What concentrations have beyond
    /// [`beta`](Self::beta) counts as expected tokens.
    pub fn model(&self) -> Lda {
        let mut counts: Vec<f64> = (0..self.corpus.vocabulary().len())
            .flat_map(|v| self.word_counts(v).iter().map(|&count| f64::from(count)))
            .collect();
        self.prior.add_excess(&mut counts);
        Lda::from_counts(self.corpus.vocabulary().to_vec(), self.alpha.clone(), self.beta(), counts)
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
        let concentrations: Vec<f64> = (0..self.alpha.len()).map(|k| self.prior.of(v, k)).collect();
        joint::conditional(&document, &word, &totals, &self.alpha, &concentrations, &self.prior.sums())
    }

    /// A chain continued from a saved state.
    pub(super) fn restore(
        corpus: &'a Corpus,
        options: &LdaGibbsOptions,
        assignments: &[u16],
        (alpha, beta): (Vec<f64>, f64),
        sweeps: usize,
    ) -> Result<Self, Error> {
        let mut chain = Self::from_assignments(corpus, options, assignments)?;
        if chain.prior.is_equal() {
            chain.prior.set_equal(beta);
            chain.blocks.set_beta(beta);
        }
        Ok(Self { alpha, sweeps, ..chain })
    }
}

/// For each topic the proportions of its tokens that groups of words have, drawn given the assignments:
/// `concentration` is that of a group in a topic plus its tokens. All of one group have all.
pub(super) fn masses(
    seed: u64,
    sweep: usize,
    (groups, topics): (usize, usize),
    concentration: impl Fn(usize, usize) -> f64,
) -> Vec<Vec<f64>> {
    if groups == 1 {
        return vec![vec![1.0]; topics];
    }
    let mut rng = stream(seed, &[MASSES, sweep as u64]);
    let draw = |k: usize| {
        let concentration: Vec<f64> = (0..groups).map(|g| concentration(g, k)).collect();
        let posterior = Dirichlet::new(&concentration).expect("counts plus positive concentrations");
        posterior.sample(&mut rng)
    };
    (0..topics).map(draw).collect()
}

impl Task for (Sweep<'_>, TopicSampler) {
    type Output = ();

    /// Draws a new topic for each token of the block in turn.
    #[expect(
        clippy::inline_always,
        reason = "only what is inlined is compiled for the vectors of the machine"
    )]
    #[inline(always)]
    fn run<X: Vectors>(self, x: X) {
        let (sweep, sampler) = self;
        match sampler {
            TopicSampler::Sparse => sparse_sweep(x, sweep),
            TopicSampler::MetropolisHastings => metropolis_sweep(sweep),
            _ => dense_sweep(x, sweep),
        }
    }
}
