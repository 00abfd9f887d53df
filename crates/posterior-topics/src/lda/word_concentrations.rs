//! The concentrations of words in topics as the engines read them.

use crate::lanes::{Lane, with_padding};

/// Concentrations `beta_kv` in three parts: the least of all, what a word has more of in all topics, and what
/// it has more of in some. Most corpora have only the first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WordConcentrations {
    topics: usize,
    words: usize,
    least: f64,
    /// By word; empty if all have the least.
    by_word: Vec<f64>,
    /// By word, topics in order with what they have more; empty if none has.
    by_topic: Vec<Vec<(u16, f64)>>,
}

impl WordConcentrations {
    pub(crate) fn equal(topics: usize, words: usize, beta: f64) -> Self {
        Self { topics, words, least: beta, by_word: Vec::new(), by_topic: Vec::new() }
    }

    /// Concentrations of each word in all topics.
    pub(super) fn set_words(&mut self, concentrations: Vec<f64>) {
        self.least = concentrations.iter().copied().fold(f64::INFINITY, f64::min);
        self.by_word = concentrations.into_iter().map(|own| own - self.least).collect();
    }

    /// What each word has more of in some topics.
    pub(super) fn set_topics(&mut self, by_topic: Vec<Vec<(u16, f64)>>) {
        self.by_topic = if by_topic.iter().all(Vec::is_empty) { Vec::new() } else { by_topic };
    }

    /// Whether all words of all topics have the same.
    pub(super) fn is_equal(&self) -> bool {
        self.by_word.is_empty() && self.by_topic.is_empty()
    }

    /// Whether topics have concentrations of their own, so that their numbers mean something.
    pub(super) fn tells_topics_apart(&self) -> bool {
        !self.by_topic.is_empty()
    }

    /// The least concentration: that of all words where they are equal.
    pub(super) fn least(&self) -> f64 {
        self.least
    }

    /// The same for all words. Without effect on those that differ.
    pub(super) fn set_equal(&mut self, beta: f64) {
        if self.is_equal() {
            self.least = beta;
        }
    }

    /// What a word has in all topics.
    pub(super) fn base(&self, word: usize) -> f64 {
        self.least + self.by_word.get(word).copied().unwrap_or(0.0)
    }

    /// Topics in which a word has more than its base, and by how much.
    pub(super) fn beyond_base(&self, word: usize) -> &[(u16, f64)] {
        self.by_topic.get(word).map_or(&[], Vec::as_slice)
    }

    /// The concentration of a word in a topic.
    pub(super) fn of(&self, word: usize, topic: usize) -> f64 {
        let base = self.base(word);
        let own = self.beyond_base(word);
        own.binary_search_by_key(&topic, |&(k, _)| usize::from(k)).map_or(base, |at| base + own[at].1)
    }

    /// The sums over all words, by topic.
    pub(super) fn sums(&self) -> Vec<f64> {
        let common = self.words as f64 * self.least + self.by_word.iter().sum::<f64>();
        let mut sums = vec![common; self.topics];
        for &(topic, more) in self.by_topic.iter().flatten() {
            sums[usize::from(topic)] += more;
        }
        sums
    }

    /// Adds what concentrations have beyond the least to counts (words x topics, row by row): expected
    /// tokens.
    pub(super) fn add_excess(&self, counts: &mut [f64]) {
        if self.is_equal() {
            return;
        }
        for (word, row) in counts.chunks_exact_mut(self.topics).enumerate() {
            let common = self.base(word) - self.least;
            for count in row.iter_mut() {
                *count += common;
            }
            for &(topic, more) in self.beyond_base(word) {
                row[usize::from(topic)] += more;
            }
        }
    }

    /// What concentrations have beyond the least, words x topics, padded; nothing where all are equal.
    pub(super) fn excess(&self) -> Vec<Lane> {
        if self.is_equal() {
            return Vec::new();
        }
        let mut rows = vec![0.0; self.words * self.topics];
        self.add_excess(&mut rows);
        with_padding(&rows, self.topics)
    }
}
