//! How often which n-gram occurs.

use posterior_math::check;
use posterior_math::special::ln_rising_factorial;

use super::counting::{self, Text};
use super::trie::{ROOT, Trie};
use super::vocabulary::NgramVocabulary;
use crate::error::Error;

/// The counts of all n-grams of 1 to n symbols in sequences.
///
/// Twelve to sixteen bytes for each distinct n-gram, sorted: the same whatever the order of the sequences is.
/// What a sequence's marks are, its [`NgramVocabulary`] says.
///
/// ```
/// use posterior_text::ngram::{Boundaries, NGramCounts, NgramVocabulary};
///
/// let vocabulary = NgramVocabulary::new(3)?.with_boundaries(Boundaries::Open);
/// let counts = NGramCounts::of(&[[0, 1, 0, 1, 0, 2, 0, 1, 2]], vocabulary, 2)?;
/// assert_eq!(counts.count(&[0, 1]), 3);
/// assert_eq!(counts.distinct(2), 5);
/// assert_eq!(counts.counts_of_counts(2, 3), [3, 1, 1]); // three bigrams once, one twice, one three times
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NGramCounts {
    vocabulary: NgramVocabulary,
    pub(crate) trie: Trie,
    /// The count of each node; of the root, all marks.
    pub(crate) counts: Vec<u32>,
}

impl NGramCounts {
    /// Counts n-grams of up to `order` symbols.
    ///
    /// # Errors
    /// An order that is not from 1 to 255, a symbol beyond the vocabulary, 2³² - 1 symbols or n-grams and
    /// more.
    pub fn of<S: AsRef<[usize]>>(
        sequences: &[S],
        vocabulary: NgramVocabulary,
        order: usize,
    ) -> Result<Self, Error> {
        let total = sequences.iter().map(|sequence| sequence.as_ref().len() + 3).sum();
        let mut text = Text::with_capacity(vocabulary, total);
        for sequence in sequences {
            text.push(sequence.as_ref().iter().copied())?;
        }
        Self::of_text(text, vocabulary, order)
    }

    /// Counts n-grams of up to `order` symbols in one sequence that need not be in memory: while it counts,
    /// this takes eight bytes a symbol.
    ///
    /// ```
    /// use posterior_text::ngram::{NGramCounts, NgramVocabulary};
    ///
    /// let counts = NGramCounts::of_stream((0..1000).map(|i| i % 3), NgramVocabulary::new(3)?, 2)?;
    /// assert_eq!(counts.count(&[2, 0]), 333);
    /// # Ok::<(), posterior_text::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_stream(
        symbols: impl IntoIterator<Item = usize>,
        vocabulary: NgramVocabulary,
        order: usize,
    ) -> Result<Self, Error> {
        let mut text = Text::with_capacity(vocabulary, 0);
        text.push(symbols)?;
        Self::of_text(text, vocabulary, order)
    }

    fn of_text(text: Text, vocabulary: NgramVocabulary, order: usize) -> Result<Self, Error> {
        NgramVocabulary::check_order(order)?;
        let (trie, counts) = counting::count(&text.into_symbols(), vocabulary, order)?;
        Ok(Self { vocabulary, trie, counts })
    }

    /// The symbols, and how sequences begin and end.
    pub const fn vocabulary(&self) -> NgramVocabulary {
        self.vocabulary
    }

    /// The length n of the longest n-grams.
    pub fn order(&self) -> usize {
        self.trie.order()
    }

    /// The number of times that `ngram` occurs; marks of beginning and end may be in it. 0 for what is
    /// longer than the order; the empty one counts symbols and ends.
    pub fn count(&self, ngram: &[usize]) -> u64 {
        if ngram.is_empty() {
            return self.tokens();
        }
        self.trie.find(ngram).map_or(0, |node| u64::from(self.counts[node]))
    }

    /// The number of symbols and marked ends.
    pub fn tokens(&self) -> u64 {
        let begin = self.vocabulary.begin().map_or(0, |begin| self.counts[1 + begin]);
        u64::from(self.counts[ROOT] - begin)
    }

    /// The number of distinct n-grams of `length` symbols, marks included.
    pub fn distinct(&self, length: usize) -> usize {
        if length == 0 || length > self.order() {
            return 0;
        }
        self.trie.level(length).filter(|&node| self.counts[node] > 0).count()
    }

    /// The numbers of n-grams of `length` symbols that occur once, twice, up to `largest` times; without the
    /// mark of the beginning as a unigram.
    pub fn counts_of_counts(&self, length: usize, largest: usize) -> Vec<u64> {
        if length == 0 || length > self.order() {
            return vec![0; largest];
        }
        counts_of_counts(&self.trie, self.vocabulary, &self.counts, length, largest)
    }

    /// The symbols that came after `context`, with their counts, sorted; none after contexts of n symbols
    /// and more.
    pub fn successors(&self, context: &[usize]) -> impl Iterator<Item = (usize, u64)> + '_ {
        let children = self.trie.find(context).map_or(0..0, |node| self.trie.children(node));
        let begin = self.vocabulary.begin();
        children
            .map(|child| (self.trie.symbols[child] as usize, u64::from(self.counts[child])))
            .filter(move |&(symbol, count)| count > 0 && Some(symbol) != begin)
    }

    /// The n-grams of `length` symbols with their counts, sorted.
    pub fn iter(&self, length: usize) -> impl Iterator<Item = (Vec<usize>, u64)> + '_ {
        let level = if (1..=self.order()).contains(&length) { self.trie.level(length) } else { 0..0 };
        level
            .filter(|&node| self.counts[node] > 0)
            .map(|node| (self.trie.ngram(node), u64::from(self.counts[node])))
    }

    /// The logarithm of the evidence for a chain of memory `order` - 1: every context has a distribution of
    /// its own, drawn from the symmetric Dirichlet distribution with parameter `alpha`.
    ///
    /// Σ over contexts of ln B(α + c) - ln B(α), of the sequence and not of its counts: the evidence does not
    /// factorise over symbols. Contexts of fewer symbols at the beginning of open sequences count as contexts
    /// of their own, so that all orders explain the same symbols and their evidences can be compared.
    ///
    /// # Errors
    /// An α that is not positive and finite, an order that is not from 1 to that of the counts.
    pub fn ln_evidence(&self, order: usize, alpha: f64) -> Result<f64, Error> {
        check::positive("NGramCounts", "alpha", alpha)?;
        let known = (1..=self.order()).contains(&order);
        check::require(known, "NGramCounts", "order", order as f64, "from 1 to that of the counts")?;
        let outcomes = self.vocabulary.outcomes() as f64;
        let direct = self.direct_counts(order);
        let mut sum = 0.0;
        for length in 1..=order {
            for context in self.trie.level(length - 1) {
                let mut total = 0;
                for child in self.trie.children(context) {
                    if direct[child] > 0 && !self.is_begin(child) {
                        sum += ln_rising_factorial(alpha, u64::from(direct[child]));
                        total += u64::from(direct[child]);
                    }
                }
                sum -= ln_rising_factorial(outcomes * alpha, total);
            }
        }
        Ok(sum)
    }

    /// How often each n-gram of at most `order` symbols is what a model of that order predicts from: all of
    /// the longest; of shorter ones those at the beginning of a sequence.
    pub(crate) fn direct_counts(&self, order: usize) -> Vec<u32> {
        let mut direct = self.counts.clone();
        for length in 2..=order {
            for node in self.trie.level(length) {
                direct[self.trie.suffix(node)] -= self.counts[node];
            }
        }
        direct
    }

    /// Whether a node is the mark of the beginning alone, which is never predicted.
    pub(crate) fn is_begin(&self, node: usize) -> bool {
        self.vocabulary.begin().is_some_and(|begin| node == 1 + begin)
    }
}

/// How many nodes of a level have the counts 1, 2, …, `largest`.
pub(super) fn counts_of_counts(
    trie: &Trie,
    vocabulary: NgramVocabulary,
    counts: &[u32],
    length: usize,
    largest: usize,
) -> Vec<u64> {
    let mut histogram = vec![0; largest];
    let begin = vocabulary.begin().map(|begin| 1 + begin);
    for node in trie.level(length).filter(|&node| Some(node) != begin) {
        let count = counts[node] as usize;
        if (1..=largest).contains(&count) {
            histogram[count - 1] += 1;
        }
    }
    histogram
}
