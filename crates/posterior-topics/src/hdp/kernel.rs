//! The inner loop of direct assignment: one pass over the tokens of all documents.
//!
//! A token of word `w` in document `d` has topic `k` with probability proportional to
//!
//! ```text
//! (n_dk + α₀ b_k) (n_kw + beta) / (n_k + V beta)          topics that other tokens have
//! α₀ b_u / V                                              a topic that none has
//! ```
//!
//! where all counts leave the token out, `b_k` is the weight of a topic in the corpus and `b_u` that of all
//! topics without tokens together (Teh et al. 2006, section 5.3). A topic that loses its last token gives its
//! weight back to `b_u` at once; a new one takes the share `v ~ Beta(1, γ)` of it.

use pulp::{Simd, WithSimd};
use rand::{Rng, RngExt};
use rand_distr::Distribution;
use serde::{Deserialize, Serialize};

use posterior_dist::Beta;

use super::concentrations::Concentrations;
use super::table_moves::Tables;
use super::topic_counts::{Tokens, TopicCounts};
use crate::lane_weights::LaneWeights;
use crate::lanes::LANES;

/// The weights of topics in the corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sticks {
    /// `b_k` by slot; zero where it is free.
    pub(super) weights: Vec<f64>,
    /// `b_u`.
    pub(super) rest: f64,
}

/// Whether topics come and go in a sweep.
pub(super) enum Birth<'s> {
    /// They do, and the numbers of tables that the topics have in all documents are drawn, by slot.
    Open { tables: &'s mut Vec<u32> },
    /// The topics are those that there are.
    Held,
}

/// One pass over all tokens.
pub(super) struct Sweep<'s, R: ?Sized> {
    pub(super) tokens: &'s Tokens,
    pub(super) topics: &'s mut [u32],
    pub(super) counts: &'s mut TopicCounts,
    pub(super) sticks: &'s mut Sticks,
    pub(super) concentrations: Concentrations,
    pub(super) birth: Birth<'s>,
    pub(super) rng: &'s mut R,
}

impl<R: Rng + ?Sized> WithSimd for Sweep<'_, R> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let mut factors = DocumentFactors::default();
        let mut tables = Tables::default();
        for d in 0..self.tokens.documents() {
            let tokens = self.tokens.starts[d]..self.tokens.starts[d + 1];
            factors.start(&self.topics[tokens.clone()], self.sticks, self.concentrations.alpha);
            for token in tokens {
                self.draw(token, &mut factors);
            }
            if let Birth::Open { .. } = self.birth {
                self.move_tables(d, &mut tables);
            }
        }
    }
}

impl<R: Rng + ?Sized> Sweep<'_, R> {
    /// Draws the topic of one token.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn draw(&mut self, token: usize, factors: &mut DocumentFactors) {
        let (word, old) = (self.tokens.words[token] as usize, self.topics[token] as usize);
        self.counts.shift(word, old, -1);
        factors.shift(old, -1);
        let mut new = 0.0;
        if let Birth::Open { .. } = self.birth {
            if self.counts.totals[old] == 0 {
                self.sticks.close(old);
                factors.close(old);
            }
            new = self.concentrations.alpha * self.sticks.rest / self.counts.words as f64;
        }
        let total = factors.weigh(self.counts, word);
        let target = self.rng.random::<f64>() * (total + new);
        let drawn = if target >= total && new > 0.0 {
            let k = self.open();
            factors.open(k, self.counts.slots, self.concentrations.alpha * self.sticks.weights[k]);
            k
        } else {
            factors.lanes.pick(target)
        };
        self.counts.shift(word, drawn, 1);
        factors.shift(drawn, 1);
        self.topics[token] = drawn as u32;
    }

    /// A topic without tokens is about to get its first.
    #[cold]
    pub(super) fn open(&mut self) -> usize {
        let k = self.counts.open();
        self.sticks.weights.resize(self.counts.slots, 0.0);
        let gamma = self.concentrations.gamma;
        let share = Beta::new(1.0, gamma).expect("invariant: bounded and positive").sample(self.rng);
        let weight = share * self.sticks.rest;
        self.sticks.rest -= weight;
        self.sticks.weights[k] = weight;
        k
    }

    /// Counts a table of a topic.
    pub(super) fn count_table(&mut self, k: usize) {
        if let Birth::Open { tables } = &mut self.birth {
            tables.resize(self.counts.slots, 0);
            tables[k] += 1;
        }
    }
}

impl Sticks {
    /// A topic has lost its last token.
    #[cold]
    pub(super) fn close(&mut self, k: usize) {
        self.rest += std::mem::take(&mut self.weights[k]);
    }
}

/// What depends on the document, by slot.
#[derive(Debug, Default)]
struct DocumentFactors {
    /// `n_dk`.
    own: Vec<u32>,
    /// `α₀ b_k`.
    prior: Vec<f64>,
    /// `n_dk + α₀ b_k`.
    sum: Vec<f64>,
    lanes: LaneWeights,
}

impl DocumentFactors {
    fn start(&mut self, topics: &[u32], sticks: &Sticks, alpha: f64) {
        self.own.fill(0);
        self.resize(sticks.weights.len());
        for &k in topics {
            self.own[k as usize] += 1;
        }
        for ((prior, sum), (own, weight)) in
            self.prior.iter_mut().zip(&mut self.sum).zip(self.own.iter().zip(&sticks.weights))
        {
            *prior = alpha * weight;
            *sum = f64::from(*own) + *prior;
        }
    }

    #[cold]
    fn close(&mut self, k: usize) {
        self.prior[k] = 0.0;
        self.sum[k] = 0.0;
    }

    #[cold]
    fn open(&mut self, k: usize, slots: usize, prior: f64) {
        self.resize(slots);
        self.prior[k] = prior;
    }

    fn resize(&mut self, slots: usize) {
        self.own.resize(slots, 0);
        self.prior.resize(slots, 0.0);
        self.sum.resize(slots, 0.0);
        self.lanes.resize(slots);
    }

    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn shift(&mut self, k: usize, by: i32) {
        self.own[k] = self.own[k].wrapping_add_signed(by);
        self.sum[k] = f64::from(self.own[k]) + self.prior[k];
    }

    /// Fills in the weights of the topics for a word and returns their sum.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn weigh(&mut self, counts: &TopicCounts, word: usize) -> f64 {
        let beta = counts.beta;
        let (row, _) = counts.row(word).as_chunks::<LANES>();
        let (scale, _) = counts.scale.as_chunks::<LANES>();
        let (document, _) = self.sum.as_chunks::<LANES>();
        let runs = row.iter().zip(scale).zip(document).map(|((row, scale), document)| {
            let mut run = [0.0; LANES];
            for lane in 0..LANES {
                // By way of i32, which machines convert in vectors; a count never reaches 2^31.
                run[lane] = document[lane] * scale[lane] * (f64::from(row[lane].cast_signed()) + beta);
            }
            run
        });
        self.lanes.fill(runs)
    }
}
