//! One new text in the words of a vocabulary that is there already.

use std::collections::BTreeMap;

use super::Document;
use super::tokenizer::Tokenizer;
use super::vocabulary_report::Proportion;

/// A text as counts of the words of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCounts {
    words: Vec<u32>,
    counts: Vec<u32>,
    unknown: Proportion,
}

impl TextCounts {
    /// The document, as models of this vocabulary take it. Empty if the vocabulary has no word of the text.
    pub fn document(&self) -> Document<'_> {
        Document { words: &self.words, counts: &self.counts }
    }

    /// The words of the text that the vocabulary does not have, stop words included.
    pub fn unknown(&self) -> Proportion {
        self.unknown
    }
}

impl Tokenizer {
    /// Counts the words of a text that a vocabulary has: a new document for a fitted model.
    ///
    /// The tokenizer should be the one that made the vocabulary. Its other filters need no repetition: a stop
    /// word or a rare word is not in the vocabulary. Of a vocabulary with
    /// [phrases](super::WordSequences::phrases)
    /// the single words alone are found.
    ///
    /// Cost: the words of the text and of the vocabulary.
    ///
    /// ```
    /// use posterior_text::corpus::Tokenizer;
    ///
    /// let vocabulary = ["money", "river", "stone"].map(str::to_owned);
    /// let text = Tokenizer::default().count("A stone in the river, a stone in the sea", &vocabulary);
    /// assert_eq!((text.document().words, text.document().counts), (&[1, 2][..], &[1, 2][..]));
    /// assert_eq!(text.unknown().words, 2); // the, sea; shorter ones are no words
    /// ```
    pub fn count(self, text: &str, vocabulary: &[String]) -> TextCounts {
        let mut found: BTreeMap<_, u32> = BTreeMap::new();
        for word in self.tokens(text) {
            *found.entry(word).or_default() += 1;
        }
        let known = (0..).zip(vocabulary).filter_map(|(id, word)| Some((id, found.remove(word.as_str())?)));
        let (words, counts) = known.unzip();
        let tokens = found.values().map(|&count| u64::from(count)).sum();
        TextCounts { words, counts, unknown: Proportion { tokens, words: found.len() } }
    }
}
