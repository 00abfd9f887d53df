//! A corpus as a sparse matrix, by documents and by words, and its products with rows of factors.
//!
//! Factorisations of a corpus (PLSA, mixtures, non-negative and orthogonal factors) need the same sums over
//! its non-zeros: for each document over its words, and for each word over its documents. Both are computed
//! row by row, so that no two threads write to one place, and what a row is does not depend on their number.

mod mixed;
mod sums;

use crate::Corpus;
use crate::corpus::Document;

pub(crate) use mixed::Mixed;

/// Entries that a thread takes at a time, about.
const BLOCK: usize = 8192;

/// The non-zeros of documents x words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TermMatrix {
    offsets: Vec<usize>,
    word_of: Vec<u32>,
    values: Vec<f64>,
    word_offsets: Vec<usize>,
    /// By words: the document of each entry, and its place in `values`.
    document_of: Vec<u32>,
    place_of: Vec<usize>,
}

impl TermMatrix {
    /// The counts of a corpus.
    pub(crate) fn counts(corpus: &Corpus) -> Self {
        let row = |document: Document<'_>| -> Vec<(u32, f64)> {
            document.words.iter().copied().zip(document.counts.iter().map(|&n| f64::from(n))).collect()
        };
        Self::from_rows(corpus.vocabulary().len(), corpus.iter().map(row))
    }

    /// The counts of a corpus, those of each word times its factor.
    pub(crate) fn weighted(corpus: &Corpus, factors: &[f64]) -> Self {
        let row = |document: Document<'_>| -> Vec<(u32, f64)> {
            let weight = |(&w, &n): (&u32, &u32)| (w, f64::from(n) * factors[w as usize]);
            document.words.iter().zip(document.counts).map(weight).collect()
        };
        Self::from_rows(corpus.vocabulary().len(), corpus.iter().map(row))
    }

    /// Rows of (word, value), words increasing and below `words`.
    pub(crate) fn from_rows(words: usize, rows: impl Iterator<Item = Vec<(u32, f64)>>) -> Self {
        let (mut offsets, mut word_of, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            word_of.extend(row.iter().map(|&(word, _)| word));
            values.extend(row.iter().map(|&(_, value)| value));
            offsets.push(values.len());
        }
        let mut word_offsets = vec![0; words + 1];
        for &word in &word_of {
            word_offsets[word as usize + 1] += 1;
        }
        for word in 0..words {
            word_offsets[word + 1] += word_offsets[word];
        }
        let mut next = word_offsets.clone();
        let (mut document_of, mut place_of) = (vec![0; values.len()], vec![0; values.len()]);
        for (document, pair) in offsets.windows(2).enumerate() {
            for place in pair[0]..pair[1] {
                let to = &mut next[word_of[place] as usize];
                document_of[*to] = document as u32;
                place_of[*to] = place;
                *to += 1;
            }
        }
        Self { offsets, word_of, values, word_offsets, document_of, place_of }
    }

    pub(crate) fn documents(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn words(&self) -> usize {
        self.word_offsets.len() - 1
    }

    /// The non-zeros, document by document.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entries of a document: words, and values.
    pub(crate) fn document(&self, d: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[d]..self.offsets[d + 1];
        (&self.word_of[range.clone()], &self.values[range])
    }

    /// The sum of the values of each document.
    pub(crate) fn document_totals(&self) -> Vec<f64> {
        (0..self.documents()).map(|d| self.document(d).1.iter().sum()).collect()
    }

    /// The sum of the values of each word.
    pub(crate) fn word_totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.words()];
        for (&word, value) in self.word_of.iter().zip(&self.values) {
            totals[word as usize] += value;
        }
        totals
    }
}

/// Consecutive rows with about [`BLOCK`] entries together, by the offsets of the rows.
fn blocks(offsets: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for row in 1..offsets.len() {
        if offsets[row] - offsets[start] >= BLOCK || row - start >= BLOCK || row + 1 == offsets.len() {
            blocks.push(start..row);
            start = row;
        }
    }
    blocks
}
