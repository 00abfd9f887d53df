//! Words by topics, where topics come and go.

use crate::checkpoint::contradiction;
use crate::lanes::LANES;
use crate::lda::ln_words;
use crate::{Corpus, Error};

/// The tokens of a corpus, one after the other: those of a document stand together, and in it those of a
/// word.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    /// Document `d` has the tokens `starts[d]..starts[d + 1]`.
    pub(super) starts: Vec<usize>,
    pub(super) words: Vec<u32>,
}

impl Tokens {
    pub(super) fn of(corpus: &Corpus) -> Self {
        let mut words = Vec::with_capacity(corpus.tokens() as usize);
        let mut starts = vec![0];
        for document in corpus.iter() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                words.extend(std::iter::repeat_n(word, count as usize));
            }
            starts.push(words.len());
        }
        Self { starts, words }
    }

    pub(super) fn documents(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn lengths(&self) -> impl Iterator<Item = u64> {
        self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as u64)
    }
}

/// Counts of words in topics. A topic is a slot, which is free when it has no token; rows are padded with
/// free slots.
#[derive(Debug, Clone)]
pub(super) struct TopicCounts {
    /// The length of a row: the number of slots.
    pub(super) slots: usize,
    pub(super) words: usize,
    /// The concentration of each word.
    pub(super) beta: f64,
    /// Words x slots, row by row.
    pub(super) counts: Vec<u32>,
    /// Tokens of each slot.
    pub(super) totals: Vec<u32>,
    /// `1 / (n_k + V beta)`.
    pub(super) scale: Vec<f64>,
}

impl TopicCounts {
    /// No tokens, and room for so many topics.
    pub(super) fn new(words: usize, topics: usize, beta: f64) -> Self {
        let slots = topics.next_multiple_of(LANES);
        let scale = vec![1.0 / (words as f64 * beta); slots];
        Self { slots, words, beta, counts: vec![0; words * slots], totals: vec![0; slots], scale }
    }

    /// The counts of tokens with known topics.
    pub(super) fn of(tokens: &Tokens, topics: &[u32], words: usize, slots: usize, beta: f64) -> Self {
        let mut counts = Self::new(words, slots, beta);
        for (&word, &topic) in tokens.words.iter().zip(topics) {
            counts.shift(word as usize, topic as usize, 1);
        }
        counts
    }

    /// The counts of a checkpoint, which may be damaged.
    pub(super) fn restore(
        tokens: &Tokens,
        topics: &[u32],
        corpus: &Corpus,
        slots: usize,
        beta: f64,
    ) -> Result<Self, Error> {
        // A slot is added when there is no free one, and then at most a quarter of them beside.
        let sound = slots.is_multiple_of(LANES) && slots <= 4 * (tokens.words.len() + LANES);
        let whole = topics.len() == tokens.words.len() && topics.iter().all(|&k| (k as usize) < slots);
        if !(sound && whole && beta > 0.0 && beta < f64::INFINITY) {
            return Err(contradiction());
        }
        Ok(Self::of(tokens, topics, corpus.vocabulary().len(), slots, beta))
    }

    /// Takes a token of a word out of a topic, or puts it in.
    #[expect(clippy::inline_always, reason = "the inner loop of all samplers")]
    #[inline(always)]
    pub(super) fn shift(&mut self, word: usize, k: usize, by: i32) {
        let count = &mut self.counts[word * self.slots + k];
        *count = count.wrapping_add_signed(by);
        self.totals[k] = self.totals[k].wrapping_add_signed(by);
        self.scale[k] = 1.0 / (f64::from(self.totals[k]) + self.words as f64 * self.beta);
    }

    /// The slots that have tokens, in order.
    pub(super) fn used(&self) -> Vec<usize> {
        (0..self.slots).filter(|&k| self.totals[k] > 0).collect()
    }

    /// The first free slot; where there is none, some are added.
    pub(super) fn open(&mut self) -> usize {
        let free = |totals: &[u32]| totals.iter().position(|&total| total == 0);
        free(&self.totals).unwrap_or_else(|| {
            self.grow();
            free(&self.totals).expect("invariant: the slots that were added are free")
        })
    }

    /// The counts of a word.
    pub(super) fn row(&self, word: usize) -> &[u32] {
        &self.counts[word * self.slots..][..self.slots]
    }

    /// The weight of one word in a topic, and in one without tokens.
    pub(super) fn likelihood(&self, word: usize, k: usize) -> f64 {
        (f64::from(self.row(word)[k]) + self.beta) * self.scale[k]
    }

    /// Adds free slots.
    fn grow(&mut self) {
        let all: Vec<usize> = (0..self.slots).collect();
        self.relayout(&all, self.slots + (self.slots / 4).max(LANES));
    }

    /// Slot `i` is `old[i]` of before, and the others are free.
    pub(super) fn relayout(&mut self, old: &[usize], slots: usize) {
        let slots = slots.next_multiple_of(LANES);
        let mut counts = vec![0; self.words * slots];
        for (to, from) in counts.chunks_exact_mut(slots).zip(self.counts.chunks_exact(self.slots)) {
            for (to, &k) in to.iter_mut().zip(old) {
                *to = from[k];
            }
        }
        let mut totals: Vec<u32> = old.iter().map(|&k| self.totals[k]).collect();
        totals.resize(slots, 0);
        let smoothing = self.words as f64 * self.beta;
        self.scale = totals.iter().map(|&total| 1.0 / (f64::from(total) + smoothing)).collect();
        (self.slots, self.counts, self.totals) = (slots, counts, totals);
    }

    pub(super) fn set_beta(&mut self, beta: f64) {
        self.beta = beta;
        let smoothing = self.words as f64 * beta;
        self.scale = self.totals.iter().map(|&total| 1.0 / (f64::from(total) + smoothing)).collect();
    }

    /// ln p(words | topics of tokens).
    pub(super) fn ln_words(&self) -> f64 {
        let totals = self.totals.iter().map(|&n| u64::from(n));
        ln_words(self.counts.iter().copied(), totals, self.words, self.beta)
    }
}
