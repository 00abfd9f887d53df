//! How often each count occurs: all that the likelihood of topics and the draws of concentrations know of
//! documents and words.
//!
//! Tallies are integers, so that documents and words may come in any order and in any parts: what is computed
//! of them has the same bits on any number of threads and processes.

use std::collections::BTreeMap;

use posterior_math::special::ln_rising_factorial;

/// Counts below this have a place in a table each.
const SMALL: usize = 256;

/// How often there is each count; zeros say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Histogram {
    small: Vec<u64>,
    large: BTreeMap<u64, u64>,
}

impl Histogram {
    pub(crate) fn push(&mut self, count: u64) {
        self.add(count, 1);
    }

    /// The same count so many times.
    pub(crate) fn add(&mut self, count: u64, times: u64) {
        match count as usize {
            0 => {}
            small if small < SMALL => {
                if self.small.is_empty() {
                    self.small = vec![0; SMALL];
                }
                self.small[small] += times;
            }
            _ => *self.large.entry(count).or_default() += times,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        other.entries().for_each(|(count, times)| self.add(count, times));
    }

    /// Counts in increasing order, and how often there is each.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let small = (0..).zip(&self.small).map(|(count, &times)| (count, times));
        let large = self.large.iter().map(|(&count, &times)| (count, times));
        small.filter(|&(_, times)| times > 0).chain(large)
    }

    /// The sum of ln a (a + 1) .. (a + n - 1) over the counts n.
    pub(crate) fn ln_rises(&self, a: f64) -> f64 {
        self.entries().map(|(count, times)| times as f64 * ln_rising_factorial(a, count)).sum()
    }
}

/// The counts of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Of each topic the tokens that it has in a document.
    pub(crate) topics: Vec<Histogram>,
    /// The lengths of documents.
    pub(crate) lengths: Histogram,
    /// The tokens that a word has in a topic.
    pub(crate) words: Histogram,
}

impl Tally {
    pub(crate) fn new(topics: usize) -> Self {
        let (lengths, words) = (Histogram::default(), Histogram::default());
        Self { topics: vec![Histogram::default(); topics], lengths, words }
    }

    /// A document with so many tokens of these topics, each topic once.
    pub(crate) fn push_document(&mut self, counts: impl Iterator<Item = (usize, u32)>) {
        let mut length = 0;
        for (topic, count) in counts {
            self.topics[topic].push(u64::from(count));
            length += u64::from(count);
        }
        self.lengths.push(length);
    }

    /// A word with these tokens in the topics.
    pub(crate) fn push_word(&mut self, counts: &[u32]) {
        for &count in counts {
            self.words.push(u64::from(count));
        }
    }

    /// Of documents and words, row by row.
    pub(crate) fn of_rows<'a>(
        topics: usize,
        documents: impl Iterator<Item = &'a [u32]>,
        words: impl Iterator<Item = &'a [u32]>,
    ) -> Self {
        let mut tally = Self::new(topics);
        documents.for_each(|row| tally.push_document(row.iter().copied().enumerate()));
        words.for_each(|row| tally.push_word(row));
        tally
    }

    /// As numbers, three for each different count: whose it is, the count, how often there is it.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let all = self.topics.iter().chain([&self.lengths, &self.words]);
        (0..)
            .zip(all)
            .flat_map(|(of, own)| own.entries().flat_map(move |(n, times)| [of, n, times]))
            .collect()
    }

    /// Adds what [`numbers`](Self::numbers) gave; whether it was that.
    pub(crate) fn add_numbers(&mut self, numbers: &[u64]) -> bool {
        let (triples, rest) = numbers.as_chunks::<3>();
        for &[of, count, times] in triples {
            let topics = self.topics.len();
            let own = match of as usize {
                k if k < topics => &mut self.topics[k],
                k if k == topics => &mut self.lengths,
                k if k == topics + 1 => &mut self.words,
                _ => return false,
            };
            own.add(count, times);
        }
        rest.is_empty()
    }

    /// ln p(Z | alpha) of the topics of all documents.
    pub(crate) fn ln_documents(&self, alpha: &[f64]) -> f64 {
        let topics: f64 = self.topics.iter().zip(alpha).map(|(own, &a)| own.ln_rises(a)).sum();
        topics - self.lengths.ln_rises(alpha.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_any_order_make_the_whole() {
        let documents: [&[u32]; 3] = [&[3, 0, 700], &[1, 2, 0], &[0, 300, 1]];
        let words: [&[u32]; 2] = [&[4, 2, 701], &[0, 300, 0]];
        let whole = Tally::of_rows(3, documents.into_iter(), words.into_iter());
        let mut parts = Tally::of_rows(3, documents[1..].iter().copied(), words[..1].iter().copied());
        let rest = Tally::of_rows(3, documents[..1].iter().copied(), words[1..].iter().copied());
        assert!(parts.add_numbers(&rest.numbers()));
        assert_eq!(parts, whole);
        let mut sent = Tally::new(3);
        assert!(sent.add_numbers(&whole.numbers()));
        assert_eq!(sent, whole);
        assert!(!sent.add_numbers(&[5, 1, 1]) && !sent.add_numbers(&[0, 1]));
        let alpha = [0.5, 1.5, 2.0];
        let rises = |a, n| ln_rising_factorial(a, n);
        let first = rises(0.5, 3) + rises(2.0, 700) - rises(4.0, 703);
        let others = rises(0.5, 1) + rises(1.5, 2) - rises(4.0, 3) + rises(1.5, 300) + rises(2.0, 1);
        let expected = first + others - rises(4.0, 301);
        assert!((whole.ln_documents(&alpha) / expected - 1.0).abs() < 1e-13);
    }
}
