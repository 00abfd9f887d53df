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
//! weight back to `b_u` at once; a new one takes the proportion `v ~ Beta(1, γ)` of it.
//!
//! After the tokens of a document, whole tables move between topics.
//!
//! Single tokens cross from one topic to another only through states in which a document has both, which its
//! process resists: two topics that mean the same are slow to merge. So tokens are seated at the tables of
//! the franchise given their topics, tables draw their topics anew given all of their tokens, with weights
//! `b_k p(words | topic k)`, and are forgotten but for their numbers.

use pulp::{Simd, WithSimd};
use rand::{Rng, RngExt};
use rand_distr::Distribution;
use serde::{Deserialize, Serialize};

use posterior_dist::Beta;

use super::concentrations::Concentrations;
use super::table_weights::TableWeights;
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

    /// Seats the tokens of a document at tables, draws the topics of the tables, and counts the tables.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn move_tables(&mut self, d: usize, tables: &mut Tables) {
        let start = self.tokens.starts[d];
        let alpha = self.concentrations.alpha;
        let of_document = &self.topics[start..self.tokens.starts[d + 1]];
        tables.seat(of_document, |k| alpha * self.sticks.weights[k], self.rng);
        for table in 0..tables.topics.len() {
            let old = tables.topics[table] as usize;
            tables.words.clear();
            tables.words.extend(tables.tokens[table].iter().map(|&i| self.tokens.words[start + i as usize]));
            for &word in &tables.words {
                self.counts.shift(word as usize, old, -1);
            }
            if self.counts.totals[old] == 0 {
                self.sticks.close(old);
            }
            let sticks = &*self.sticks;
            let (known, new) = tables.weights.weigh(self.counts, &tables.words, &sticks.weights, sticks.rest);
            tables.lanes.resize(known.len());
            let (runs, _) = known.as_chunks::<LANES>();
            let total = tables.lanes.fill(runs.iter().copied());
            let target = self.rng.random::<f64>() * (total + new);
            let drawn = if target >= total && new > 0.0 { self.open() } else { tables.lanes.pick(target) };
            for &word in &tables.words {
                self.counts.shift(word as usize, drawn, 1);
            }
            if drawn != old {
                for &i in &tables.tokens[table] {
                    self.topics[start + i as usize] = drawn as u32;
                }
            }
            self.count_table(drawn);
        }
    }

    /// A topic without tokens is about to get its first.
    #[cold]
    fn open(&mut self) -> usize {
        let k = self.counts.open();
        self.sticks.weights.resize(self.counts.slots, 0.0);
        let gamma = self.concentrations.gamma;
        let proportion = Beta::new(1.0, gamma).expect("invariant: bounded and positive").sample(self.rng);
        let weight = proportion * self.sticks.rest;
        self.sticks.rest -= weight;
        self.sticks.weights[k] = weight;
        k
    }

    /// Counts a table of a topic.
    fn count_table(&mut self, k: usize) {
        if let Birth::Open { tables } = &mut self.birth {
            tables.resize(self.counts.slots, 0);
            tables[k] += 1;
        }
    }
}

impl Sticks {
    /// Whether these are weights of so many slots.
    pub(super) fn are_weights(&self, slots: usize) -> bool {
        let mut all = self.weights.iter().chain([&self.rest]);
        self.weights.len() == slots && all.all(|weight| (0.0..=1.0).contains(weight))
    }

    /// A topic has lost its last token.
    #[cold]
    fn close(&mut self, k: usize) {
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

/// The tables of the document, and room for weights.
#[derive(Debug, Default)]
struct Tables {
    /// The topic of each table.
    topics: Vec<u32>,
    /// The tokens of each table, in order.
    tokens: Vec<Vec<u32>>,
    /// By slot: the tables of the topic's tokens so far, one entry a token.
    seats: Vec<Vec<u32>>,
    words: Vec<u32>,
    weights: TableWeights,
    lanes: LaneWeights,
}

impl Tables {
    /// Seats the tokens of a document whose topics are known: in each topic they are customers of one Chinese
    /// restaurant of concentration `α₀ b_k`.
    fn seat<R: Rng + ?Sized>(&mut self, topics: &[u32], prior: impl Fn(usize) -> f64, rng: &mut R) {
        self.topics.clear();
        for &topic in topics {
            if let Some(seats) = self.seats.get_mut(topic as usize) {
                seats.clear();
            } else {
                self.seats.resize(topic as usize + 1, Vec::new());
            }
        }
        for (token, &topic) in (0..).zip(topics) {
            let seats = &mut self.seats[topic as usize];
            let others = seats.len() as f64;
            // At the table of one of the others, each as likely as any other; or at a new one.
            let target = rng.random::<f64>() * (others + prior(topic as usize));
            let table = if target < others { seats[target as usize] } else { self.topics.len() as u32 };
            seats.push(table);
            if table as usize == self.topics.len() {
                self.topics.push(topic);
                if self.tokens.len() < self.topics.len() {
                    self.tokens.push(Vec::new());
                }
                self.tokens[table as usize].clear();
            }
            self.tokens[table as usize].push(token);
        }
    }
}
