//! In how many stretches of text words occur, alone and together.

use posterior_math::check;

use crate::checks::index;
use crate::{Corpus, Error};

/// The stretches of text, documents or windows, in which each of some words occurs.
///
/// Stretches are numbered in the order of the texts. A word at place `i` of a document is in the windows that
/// begin at `i - width + 1` to `i`, so that each word has a list of runs of consecutive windows, and the
/// number of windows with two words is the overlap of two lists. Memory and time go with the occurrences of
/// the words, not with the windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrences {
    stretches: u64,
    /// The words, increasing.
    words: Vec<usize>,
    /// For each of them disjoint runs of stretches, increasing: first, and one after the last.
    runs: Vec<Vec<(u64, u64)>>,
}

impl Occurrences {
    /// Of these words in whole documents: which documents have them. Empty documents count.
    ///
    /// # Errors
    /// A word outside the vocabulary.
    pub fn in_documents(corpus: &Corpus, words: &[usize]) -> Result<Self, Error> {
        let size = corpus.vocabulary().len();
        words.iter().try_for_each(|&word| index("word", word, size))?;
        let mut occurrences = Self::none(words);
        for document in corpus.iter() {
            for &word in document.words {
                occurrences.add(word as usize, 0, 1);
            }
            occurrences.stretches += 1;
        }
        Ok(occurrences)
    }

    /// Of these words in windows of `width` consecutive words of the documents, each of which holds its
    /// words' ids in order. A document shorter than that, even an empty one, is one window.
    ///
    /// Words that were removed from the vocabulary close the gaps that they leave, unless they have ids too.
    ///
    /// # Errors
    /// A width of zero.
    pub fn in_windows(documents: &[Vec<u32>], width: usize, words: &[usize]) -> Result<Self, Error> {
        check::require(width > 0, "Occurrences", "width", 0.0, "positive")?;
        let mut occurrences = Self::none(words);
        for document in documents {
            let windows = document.len().saturating_sub(width) + 1;
            for (place, &word) in document.iter().enumerate() {
                let first = (place + 1).saturating_sub(width);
                occurrences.add(word as usize, first as u64, (place + 1).min(windows) as u64);
            }
            occurrences.stretches += windows as u64;
        }
        Ok(occurrences)
    }

    fn none(words: &[usize]) -> Self {
        let mut words = words.to_vec();
        words.sort_unstable();
        words.dedup();
        Self { stretches: 0, runs: vec![Vec::new(); words.len()], words }
    }

    /// The word is in stretches `from..to` of the current document. Runs of a word come in increasing order
    /// of their ends.
    fn add(&mut self, word: usize, from: u64, to: u64) {
        let Ok(place) = self.words.binary_search(&word) else { return };
        let (from, to) = (self.stretches + from, self.stretches + to);
        match self.runs[place].last_mut() {
            Some((_, end)) if *end >= from => *end = to,
            _ => self.runs[place].push((from, to)),
        }
    }

    fn runs(&self, word: usize) -> &[(u64, u64)] {
        self.words.binary_search(&word).map_or(&[], |place| &self.runs[place])
    }

    /// Whether the word is one of those that were looked for.
    pub fn covers(&self, word: usize) -> bool {
        self.words.binary_search(&word).is_ok()
    }

    /// The number of documents or windows.
    pub fn stretches(&self) -> u64 {
        self.stretches
    }

    /// The number of stretches with this word; zero for one that was not looked for.
    pub fn of(&self, word: usize) -> u64 {
        self.runs(word).iter().map(|(from, to)| to - from).sum()
    }

    /// The number of stretches with both words.
    pub fn of_both(&self, word: usize, other: usize) -> u64 {
        let (a, b) = (self.runs(word), self.runs(other));
        let (mut i, mut j, mut sum) = (0, 0, 0);
        while let (Some(&(from, to)), Some(&(other_from, other_to))) = (a.get(i), b.get(j)) {
            sum += to.min(other_to).saturating_sub(from.max(other_from));
            if to <= other_to {
                i += 1;
            } else {
                j += 1;
            }
        }
        sum
    }
}
