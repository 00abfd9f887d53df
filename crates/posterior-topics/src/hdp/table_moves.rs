//! Moves of whole tables between topics, within direct assignment.
//!
//! Single tokens cross from one topic to another only through states in which a document has both, which its
//! process resists: two topics that mean the same are slow to merge. So tokens are seated at the tables of
//! the franchise given their topics, tables draw their topics anew given all of their tokens, with weights
//! `b_k p(words | topic k)`, and are forgotten but for their numbers.

use rand::{Rng, RngExt};

use super::kernel::Sweep;
use super::table_weights::TableWeights;
use crate::lane_weights::LaneWeights;
use crate::lanes::LANES;

/// The tables of the document, and room for weights.
#[derive(Debug, Default)]
pub(super) struct Tables {
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

impl<R: Rng + ?Sized> Sweep<'_, R> {
    /// Seats the tokens of a document at tables, draws the topics of the tables, and counts the tables.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    pub(super) fn move_tables(&mut self, d: usize, tables: &mut Tables) {
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
}
