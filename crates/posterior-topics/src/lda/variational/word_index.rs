//! The corpus by word: in which documents a word occurs.

use crate::Error;
use crate::corpus::Document;

/// The occurrences of words, by word and then by document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lda) struct WordIndex {
    offsets: Vec<usize>,
    occurrences: Vec<Occurrence>,
}

/// One distinct word of one document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::lda) struct Occurrence {
    pub(in crate::lda) document: u32,
    /// The number of the pair among all pairs of documents and distinct words, by document and then by word.
    pub(in crate::lda) entry: u32,
}

impl WordIndex {
    /// The index of documents over so many words.
    ///
    /// # Errors
    /// 2^32 pairs of documents and distinct words, or as many documents.
    pub(in crate::lda) fn new(documents: &[Document<'_>], words: usize) -> Result<Self, Error> {
        let entries: usize = documents.iter().map(|document| document.words.len()).sum();
        if u32::try_from(entries.max(documents.len())).is_err() {
            let message = format!("{entries} distinct words of documents: 2^32 are too many");
            return Err(Error::Corpus(message));
        }
        let mut offsets = vec![0; words + 1];
        for &word in documents.iter().flat_map(|document| document.words) {
            offsets[word as usize + 1] += 1;
        }
        for word in 0..words {
            offsets[word + 1] += offsets[word];
        }
        let mut next = offsets.clone();
        let mut occurrences = vec![Occurrence::default(); entries];
        let mut entry = 0;
        for (document, words) in (0..).zip(documents.iter().map(|document| document.words)) {
            for &word in words {
                let at = &mut next[word as usize];
                occurrences[*at] = Occurrence { document, entry };
                *at += 1;
                entry += 1;
            }
        }
        Ok(Self { offsets, occurrences })
    }

    /// Where a word occurs.
    pub(in crate::lda) fn of(&self, word: usize) -> &[Occurrence] {
        &self.occurrences[self.offsets[word]..self.offsets[word + 1]]
    }
}
