//! Direct assignment: the chain over topics of tokens and weights of topics.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use pulp::Arch;
use rand_distr::Distribution;
use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use super::joint;
use super::kernel::{Birth, Sticks, Sweep};
use super::options::HdpOptions;
use super::start::{check, initial_topics};
use super::topic_counts::{Tokens, TopicCounts};
use crate::checkpoint::contradiction;
use crate::checks::size;
use crate::lda::improve_beta;
use crate::{Corpus, Error};

/// The name of the random streams of sweeps under the seed.
pub(super) const SWEEP: u64 = 1;

/// The chain of [`DirectAssignment`] without what its corpus and its options say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DirectState {
    /// The slot of each token.
    pub(super) topics: Vec<u32>,
    pub(super) beta: f64,
    pub(super) sticks: Sticks,
    /// Tables of each topic in all documents, by slot.
    pub(super) tables: Vec<u32>,
    pub(super) concentrations: Concentrations,
}

/// A chain over the topics of all tokens, the weights of the topics in the corpus and the concentrations (Teh
/// et al. 2006, section 5.3).
///
/// A sweep draws the topic of each token in turn; then the tables that the tokens of a topic take in each
/// document, the topics of these tables, all tokens of a table together; the concentrations given the numbers
/// of tables; and the weights `b ~ Dir(m_1, …, m_K, γ)`. Each is a draw from an exact conditional. The sweep
/// is serial, so that threads cannot change it. Cost: tokens x topics, eight topics at a time.
#[derive(Debug, Clone)]
pub struct DirectAssignment<'a> {
    corpus: &'a Corpus,
    options: HdpOptions,
    tokens: Tokens,
    counts: TopicCounts,
    /// Its `beta` is that of the counts.
    state: DirectState,
    sweeps: usize,
}

impl<'a> DirectAssignment<'a> {
    /// A chain that starts from documents of one topic each, alike ones together.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &HdpOptions) -> Result<Self, Error> {
        let topics = initial_topics(corpus, options)?;
        Self::from_assignments(corpus, options, &topics)
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within a
    /// document, and of repetitions. The names of the topics do not matter.
    ///
    /// # Errors
    /// As [`DirectAssignment::new`]; or another number of topics than there are tokens.
    pub fn from_assignments(corpus: &'a Corpus, options: &HdpOptions, topics: &[u32]) -> Result<Self, Error> {
        check(corpus, options)?;
        let (topics, used) = numbered(corpus, topics)?;
        let tokens = Tokens::of(corpus);
        let counts = TopicCounts::of(&tokens, &topics, corpus.vocabulary().len(), used, options.beta);
        let concentrations = Concentrations::of(options);
        let tables = joint::documents_of_topics(&tokens, &topics, counts.slots);
        let sticks = mean_sticks(&tables, concentrations.gamma);
        let state = DirectState { topics, beta: options.beta, sticks, tables, concentrations };
        Ok(Self { corpus, options: options.clone(), tokens, counts, state, sweeps: 0 })
    }

    /// Draws everything once.
    pub fn sweep(&mut self) {
        let mut rng = stream(self.options.seed, &[SWEEP, self.sweeps as u64]);
        self.state.tables.clear();
        Arch::new().dispatch(Sweep {
            tokens: &self.tokens,
            topics: &mut self.state.topics,
            counts: &mut self.counts,
            sticks: &mut self.state.sticks,
            concentrations: self.state.concentrations,
            birth: Birth::Open { tables: &mut self.state.tables },
            rng: &mut rng,
        });
        self.state.tables.resize(self.counts.slots, 0);
        self.state.concentrations.draw(&self.options, self.tokens.lengths(), &self.state.tables, &mut rng);
        self.draw_sticks(&mut rng);
        self.compact();
        self.sweeps += 1;
        if self.options.is_optimized(self.sweeps) {
            optimize_beta(&mut self.counts);
        }
    }

    fn draw_sticks(&mut self, rng: &mut impl rand::Rng) {
        let used = self.counts.used();
        let mut concentration: Vec<f64> = used.iter().map(|&k| f64::from(self.state.tables[k])).collect();
        concentration.push(self.state.concentrations.gamma);
        let distribution =
            Dirichlet::new(&concentration).expect("invariant: a topic with tokens has a table");
        let mut weights = distribution.sample(rng);
        self.state.sticks.rest = weights.pop().unwrap_or(0.0);
        self.state.sticks.weights.fill(0.0);
        for (k, weight) in used.into_iter().zip(weights) {
            self.state.sticks.weights[k] = weight;
        }
    }

    /// Drops free slots when they are more than half of all.
    fn compact(&mut self) {
        let used = self.counts.used();
        if 2 * used.len() + 8 > self.counts.slots {
            return;
        }
        let mut number = vec![0_u32; self.counts.slots];
        for (i, &k) in used.iter().enumerate() {
            number[k] = i as u32;
        }
        for topic in &mut self.state.topics {
            *topic = number[*topic as usize];
        }
        self.counts.relayout(&used, used.len() + 4);
        let slots = self.counts.slots;
        self.state.tables = used.iter().map(|&k| self.state.tables[k]).collect();
        self.state.tables.resize(slots, 0);
        self.state.sticks.weights = used.iter().map(|&k| self.state.sticks.weights[k]).collect();
        self.state.sticks.weights.resize(slots, 0.0);
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// The number of topics that have tokens.
    pub fn topics(&self) -> usize {
        self.counts.used().len()
    }

    /// The concentrations of the process.
    pub fn concentrations(&self) -> Concentrations {
        self.state.concentrations
    }

    /// The Dirichlet concentration of each word in a topic.
    pub fn beta(&self) -> f64 {
        self.counts.beta
    }

    /// The weight of all topics without tokens together.
    pub fn unused_weight(&self) -> f64 {
        self.state.sticks.rest
    }

    /// The topic of each token, in the order of [`from_assignments`](Self::from_assignments). Topics may have
    /// any numbers, which say nothing but which tokens share a topic.
    pub fn assignments(&self) -> &[u32] {
        &self.state.topics
    }

    /// ln p(W, Z | b, α₀, beta), with the order of tokens given. Costs one pass over the tokens.
    pub fn ln_joint(&self) -> f64 {
        joint::ln_joint(
            &self.tokens,
            &self.state.topics,
            &self.counts,
            &self.state.sticks,
            self.state.concentrations.alpha,
        )
    }

    pub(super) fn state(&self) -> (&[u32], &TopicCounts, &[u32]) {
        (&self.state.topics, &self.counts, &self.state.tables)
    }

    pub(super) fn save(&self) -> DirectState {
        DirectState { beta: self.counts.beta, ..self.state.clone() }
    }

    /// The chain as it was after so many sweeps.
    pub(super) fn restore(
        corpus: &'a Corpus,
        options: &HdpOptions,
        state: &DirectState,
        sweeps: usize,
    ) -> Result<Self, Error> {
        check(corpus, options)?;
        let tokens = Tokens::of(corpus);
        let counts = TopicCounts::restore(&tokens, &state.topics, corpus, state.tables.len(), state.beta)?;
        if !state.sticks.are_weights(counts.slots) || !state.concentrations.are_bounded() {
            return Err(contradiction());
        }
        Ok(Self { corpus, options: options.clone(), tokens, counts, state: state.clone(), sweeps })
    }
}

/// The same topics, numbered without gaps in the order of their names; and how many there are.
pub(super) fn numbered(corpus: &Corpus, topics: &[u32]) -> Result<(Vec<u32>, usize), Error> {
    size("topics of tokens", corpus.tokens() as usize, topics.len())?;
    let mut names = topics.to_vec();
    names.sort_unstable();
    names.dedup();
    let number = |topic| names.partition_point(|&name| name < topic) as u32;
    Ok((topics.iter().map(|&topic| number(topic)).collect(), names.len()))
}

/// The mean weights given the numbers of tables.
pub(super) fn mean_sticks(tables: &[u32], gamma: f64) -> Sticks {
    let sum = tables.iter().map(|&m| f64::from(m)).sum::<f64>() + gamma;
    Sticks { weights: tables.iter().map(|&m| f64::from(m) / sum).collect(), rest: gamma / sum }
}

/// Moves the concentration of words uphill in the likelihood of the words given their topics.
pub(super) fn optimize_beta(counts: &mut TopicCounts) {
    let used = counts.used();
    let rows: Vec<Vec<u32>> = (0..counts.words)
        .map(|word| {
            let row = counts.row(word);
            used.iter().map(|&k| row[k]).collect()
        })
        .collect();
    let beta = improve_beta(rows.iter().map(Vec::as_slice), used.len(), counts.beta);
    counts.set_beta(beta);
}
