//! What a stored corpus knows without its documents.

use super::bytes::{Parser, put, put_text};

/// Where a block is, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) place: u64,
    pub(super) documents: usize,
    pub(super) entries: usize,
    pub(super) tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Index {
    pub(super) vocabulary: Vec<String>,
    pub(super) blocks: Vec<Entry>,
}

impl Index {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, self.vocabulary.len() as u64);
        self.vocabulary.iter().for_each(|word| put_text(&mut bytes, word));
        put(&mut bytes, self.blocks.len() as u64);
        for block in &self.blocks {
            let numbers = [block.place, block.documents as u64, block.entries as u64, block.tokens];
            for number in numbers {
                put(&mut bytes, number);
            }
        }
        bytes
    }

    /// The index that stands at `place`. `None` if the bytes hold something else.
    pub(super) fn read(bytes: &[u8], place: u64) -> Option<Self> {
        let mut parser = Parser(bytes);
        // Every word and every block takes a byte at least.
        let words = parser.size().filter(|&words| words <= bytes.len())?;
        let vocabulary = (0..words).map(|_| parser.text().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
        let blocks = parser.size().filter(|&blocks| blocks <= bytes.len())?;
        let entry = |_| {
            let (place, documents) = (parser.number()?, parser.size()?);
            Some(Entry { place, documents, entries: parser.size()?, tokens: parser.number()? })
        };
        let blocks = (0..blocks).map(entry).collect::<Option<Vec<_>>>()?;
        let before = blocks.iter().all(|block| block.place < place);
        // The sizes of the corpus are sums of these.
        let sums = blocks.iter().try_fold((0_usize, 0_u64), |(items, tokens), block| {
            let items = items.checked_add(block.documents)?.checked_add(block.entries)?;
            Some((items, tokens.checked_add(block.tokens)?))
        });
        let ok = parser.is_empty() && !vocabulary.is_empty() && before && sums.is_some();
        ok.then_some(Self { vocabulary, blocks })
    }
}
