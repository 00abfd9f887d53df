//! What the samplers know of the word that they are at.
//!
//! Given the masses `psi_kg` of the word groups, a token of word `w` in group `g` and document `d` has topic
//! `k` with probability proportional to
//!
//! ```text
//! (n_dk + alpha_k) f_k,    f_k = (n_kw + beta_kw) psi_kg / (n_kg + sum_v beta_kv)
//! ```
//!
//! where all counts leave the token out, and the sum is over the words `v` of the group. With a single group
//! `psi = 1`, and this is the conditional of Griffiths and Steyvers (2004).
//!
//! The factors `f` hold **all** tokens, that of the current draw as well, and stay as they are while tokens
//! stay in their topics. That a token counts itself raises the weight of its own topic only; a draw of that
//! topic is therefore accepted with the ratio of the right weight to the raised one, which is rejection
//! sampling, and exact.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_dist::choose;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::blocks::WordGroup;
use super::prior::TopicPrior;
use crate::lanes::LANES;

/// Factors of the topics for the current word, one entry a topic, in single precision: weights are right to a
/// relative 1e-6.
#[derive(Debug)]
pub(super) struct WordFactors {
    /// `f_k` with all tokens counted. Zero in the padding.
    pub(super) factors: Vec<f32>,
    /// `psi_kg / (n_kg + sum_v beta_kv)`.
    scale: Vec<f32>,
    /// The same with one token less in the topic, and with one token more.
    around: Vec<[f32; 2]>,
    word: usize,
    /// The first entry of the word's row.
    row: usize,
}

impl WordFactors {
    pub(super) fn new(words: &WordGroup, topics: usize, room: usize) -> Self {
        let stride = words.totals.len();
        let mut factors = Self {
            factors: vec![0.0; room],
            scale: vec![0.0; stride],
            around: vec![[0.0; 2]; stride],
            word: 0,
            row: 0,
        };
        for k in 0..topics {
            factors.scale[k] = scale_at(words, k, 0.0);
            factors.around[k] = [-1.0, 1.0].map(|more| scale_at(words, k, more));
        }
        factors
    }

    /// Turns to a word.
    #[inline(always)]
    pub(super) fn start(&mut self, words: &WordGroup, word: usize, topics: usize) {
        let stride = self.scale.len();
        (self.word, self.row) = (word, word * stride);
        let beta = words.prior.base(word) as f32;
        let (factors, _) = self.factors.as_chunks_mut::<LANES>();
        let (scale, _) = self.scale.as_chunks::<LANES>();
        let (row, _) = words.counts[self.row..][..stride].as_chunks::<LANES>();
        for ((factors, scale), row) in factors.iter_mut().zip(scale).zip(row) {
            for lane in 0..LANES {
                // By way of i32, which machines convert in vectors; a count never reaches 2^31.
                factors[lane] = (row[lane].cast_signed() as f32 + beta) * scale[lane];
            }
        }
        self.factors[topics..stride].fill(0.0);
        for &(topic, weight) in words.prior.seeds(word) {
            self.factors[usize::from(topic)] += weight as f32 * self.scale[usize::from(topic)];
        }
    }

    /// `f_k` after a change of counts.
    #[inline(always)]
    fn refresh(&mut self, words: &WordGroup, k: usize) {
        let count = words.counts[self.row + k].cast_signed() as f32;
        self.factors[k] = (count + words.prior.concentration(self.word, k) as f32) * self.scale[k];
    }

    /// `f_k` with one token of the word less in topic `k`.
    #[inline(always)]
    pub(super) fn less(&self, words: &WordGroup, k: usize) -> f32 {
        let count = (words.counts[self.row + k] - 1).cast_signed() as f32;
        (count + words.prior.concentration(self.word, k) as f32) * self.around[k][0]
    }

    /// Counts a token of the word in topic `to` and no longer in `from`.
    #[inline(always)]
    pub(super) fn shift(&mut self, words: &mut WordGroup, from: usize, to: usize) {
        words.counts[self.row + from] -= 1;
        words.counts[self.row + to] += 1;
        words.totals[from] -= 1;
        words.totals[to] += 1;
        // What was one token away is there now. The divisions are for later draws, so that the next one need
        // not wait.
        let (fewer, more) = (self.around[from][0], self.around[to][1]);
        self.around[from][1] = self.scale[from];
        self.around[to][0] = self.scale[to];
        self.scale[from] = fewer;
        self.scale[to] = more;
        self.refresh(words, from);
        self.refresh(words, to);
        self.around[from][0] = scale_at(words, from, -1.0);
        self.around[to][1] = scale_at(words, to, 1.0);
    }

    /// A draw for a token of topic `own`, which is left out, in double precision: for weights that single
    /// precision cannot hold.
    #[cold]
    #[inline(never)]
    pub(super) fn draw_exactly(
        &self,
        words: &WordGroup,
        document: &[u32],
        prior: &TopicPrior,
        own: usize,
        rng: &mut Pcg64,
    ) -> usize {
        let weight = |k: usize| {
            let less = f64::from(u8::from(k == own));
            let count =
                f64::from(words.counts[self.row + k]) - less + words.prior.concentration(self.word, k);
            let total = f64::from(words.totals[k]) - less + words.prior.sums()[k];
            (f64::from(document[k]) - less + prior.alpha[k]) * (count * (words.mass[k] / total))
        };
        draw_by_weights(&(0..prior.topics).map(weight).collect::<Vec<f64>>(), own, rng)
    }
}

/// The scale of a topic with so many tokens more.
#[inline(always)]
fn scale_at(words: &WordGroup, k: usize, more: f64) -> f32 {
    (words.mass[k] / (f64::from(words.totals[k].cast_signed()) + words.prior.sums()[k] + more)) as f32
}

/// A topic with the probabilities of the weights; `otherwise` when none has a weight.
pub(super) fn draw_by_weights(weights: &[f64], otherwise: usize, rng: &mut Pcg64) -> usize {
    let total: f64 = weights.iter().sum();
    choose(weights, rng.random::<f64>() * total).unwrap_or(otherwise)
}
