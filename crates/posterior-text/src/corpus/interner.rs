//! Words as dense numbers, in the order in which they are first met.

#[expect(
    clippy::disallowed_types,
    reason = "only looked up, never iterated: its order reaches no result"
)]
use std::collections::HashMap;

/// A number for each distinct word.
#[derive(Debug, Clone, Default)]
pub(super) struct Interner {
    #[expect(clippy::disallowed_types, reason = "as above; a sorted map takes three times as long")]
    ids: HashMap<Box<str>, u32>,
    words: Vec<Box<str>>,
}

impl Interner {
    /// The number of `word`, a new one when it is met for the first time.
    pub(super) fn intern(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.words.len() as u32;
        self.words.push(word.into());
        self.ids.insert(word.into(), id);
        id
    }

    /// The word with this number.
    pub(super) fn word(&self, id: u32) -> &str {
        &self.words[id as usize]
    }

    /// The number of distinct words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }
}
