//! Documents that are read together.

use super::bytes::{Parser, put, put_text};
use crate::corpus::Document;

/// Some documents of a stored corpus, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    pub(super) names: Vec<String>,
    pub(super) offsets: Vec<usize>,
    pub(super) words: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl Block {
    /// The number of documents.
    pub fn documents(&self) -> usize {
        self.names.len()
    }

    /// The names of the documents.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of words of all documents together.
    pub fn tokens(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// Document `d` of the block.
    ///
    /// # Panics
    /// When there is no such document.
    #[track_caller]
    pub fn document(&self, d: usize) -> Document<'_> {
        let range = self.offsets[d]..self.offsets[d + 1];
        Document { words: &self.words[range.clone()], counts: &self.counts[range] }
    }

    /// All documents in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Document<'_>> {
        (0..self.documents()).map(|d| self.document(d))
    }

    /// From the bytes of a payload, which has to hold so many documents and entries.
    pub(super) fn read(
        payload: &[u8],
        documents: usize,
        entries: usize,
        vocabulary: usize,
    ) -> Result<Self, &'static str> {
        const DAMAGED: &str = "a number or a text is damaged";
        // Each document and each entry takes two bytes at least: nothing is allocated for what cannot be
        // there.
        if documents.saturating_add(entries) > payload.len() / 2 {
            return Err("more documents announced than its bytes can hold");
        }
        let mut block = Self {
            names: Vec::with_capacity(documents),
            offsets: Vec::with_capacity(documents + 1),
            words: Vec::with_capacity(entries),
            counts: Vec::with_capacity(entries),
        };
        block.offsets.push(0);
        let mut parser = Parser(payload);
        for _ in 0..documents {
            block.names.push(parser.text().ok_or(DAMAGED)?.to_owned());
            let distinct = parser.size().ok_or(DAMAGED)?;
            let mut next = 0_u64;
            for _ in 0..distinct {
                let word = next.checked_add(parser.number().ok_or(DAMAGED)?).ok_or(DAMAGED)?;
                let count = parser.small().filter(|&count| count > 0).ok_or(DAMAGED)?;
                if word >= vocabulary as u64 {
                    return Err("a word is outside of the vocabulary");
                }
                block.words.push(word as u32);
                block.counts.push(count);
                next = word + 1;
            }
            block.offsets.push(block.words.len());
        }
        if block.words.len() == entries && parser.is_empty() {
            Ok(block)
        } else {
            Err("it holds something else than its index says")
        }
    }
}

/// Appends a document, whose words are distinct and in increasing order.
pub(super) fn put_document(bytes: &mut Vec<u8>, name: &str, document: Document<'_>) {
    put_text(bytes, name);
    put(bytes, document.words.len() as u64);
    let mut next = 0;
    for (&word, &count) in document.words.iter().zip(document.counts) {
        put(bytes, u64::from(word) - next);
        put(bytes, u64::from(count));
        next = u64::from(word) + 1;
    }
}
