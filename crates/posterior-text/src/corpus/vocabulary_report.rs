//! What the filters of a vocabulary removed.

use std::fmt;

/// A number of words: as they run in the texts, and distinct ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proportion {
    /// Words as they run in the texts.
    pub tokens: u64,
    /// Distinct words.
    pub words: usize,
}

/// The filters, in the order in which they apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Removed {
    /// Fewer letters than [`Tokenizer::min_length`](super::Tokenizer::min_length).
    TooShort,
    /// On the list of stop words.
    StopWord,
    /// In fewer documents than [`VocabularyOptions::min_documents`](super::VocabularyOptions::min_documents).
    TooRare,
    /// In a larger proportion of documents than
    /// [`VocabularyOptions::max_document_proportion`](super::VocabularyOptions::max_document_proportion).
    TooFrequent,
    /// Not among the most frequent [`VocabularyOptions::max_words`](super::VocabularyOptions::max_words).
    BeyondSize,
}

impl Removed {
    /// All filters, in the order in which they apply.
    pub const ALL: [Self; 5] =
        [Self::TooShort, Self::StopWord, Self::TooRare, Self::TooFrequent, Self::BeyondSize];

    /// The filter in a few words, as in "stop words".
    pub fn label(self) -> &'static str {
        match self {
            Self::TooShort => "too short",
            Self::StopWord => "stop words",
            Self::TooRare => "in too few documents",
            Self::TooFrequent => "in too many documents",
            Self::BeyondSize => "beyond the vocabulary size",
        }
    }
}

/// The words that were found in the texts, and those that each filter removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct VocabularyReport {
    /// All words of the texts.
    pub found: Proportion,
    /// The words that are left.
    pub kept: Proportion,
    pub(super) removed: [Proportion; 5],
}

impl VocabularyReport {
    /// The words that one filter removed of those that the filters before it had left.
    pub fn removed(&self, filter: Removed) -> Proportion {
        self.removed[filter as usize]
    }

    /// The filter that removed the most running words.
    pub(super) fn strictest(&self) -> Removed {
        let tokens = |filter: &Removed| self.removed(*filter).tokens;
        Removed::ALL.into_iter().max_by_key(tokens).unwrap_or(Removed::TooShort)
    }
}

impl fmt::Display for VocabularyReport {
    /// Writes what was found, what each filter removed and what is left, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |name: &str, Proportion { tokens, words }: Proportion| {
            writeln!(f, "{name:<26} {words:>9} words {tokens:>12} tokens")
        };
        line("found", self.found)?;
        for filter in Removed::ALL {
            line(filter.label(), self.removed(filter))?;
        }
        line("kept", self.kept)
    }
}

impl Proportion {
    /// One more distinct word, which runs in the texts this often.
    pub(super) fn add(&mut self, tokens: u64) {
        self.tokens += tokens;
        self.words += 1;
    }
}
