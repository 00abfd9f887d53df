//! What is counted of a text: words, sequences of words, sequences of characters.

use std::borrow::Cow;
use std::collections::VecDeque;

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

use super::tokenizer::Tokenizer;

/// What is counted of a text: its words, n-grams of them, or n-grams of their characters.
///
/// ```
/// use posterior_text::corpus::{TextTerms, Tokenizer};
///
/// let terms = |own: TextTerms, text| {
///     let mut all = Vec::new();
///     own.each(Tokenizer::default(), text, |term| all.push(term.to_owned()));
///     all
/// };
/// let pairs = TextTerms::Words { least: 1, most: 2 };
/// assert_eq!(terms(pairs, "New York, new ideas"), ["new", "york", "new york", "new", "york new", "ideas", "new ideas"]);
/// // A blank stands for either end of the word.
/// assert_eq!(terms(TextTerms::Characters { least: 3, most: 3 }, "Tree"), [" tr", "tre", "ree", "ee "]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TextTerms {
    /// Each sequence of so many words, with blanks between them. One of a word that is left out (a stop
    /// word, a short one) is left out too.
    Words {
        /// The least number of words of a term, at least 1.
        least: usize,
        /// The largest number of words.
        most: usize,
    },
    /// Each sequence of so many characters of a word, its marks of ends among them: a blank before and
    /// behind. No sequence goes from one word to the next.
    Characters {
        /// The least number of characters of a term, at least 1.
        least: usize,
        /// The largest number of characters.
        most: usize,
    },
}

impl Default for TextTerms {
    /// Words.
    fn default() -> Self {
        Self::Words { least: 1, most: 1 }
    }
}

impl TextTerms {
    /// Whether they are words and nothing else.
    pub const fn are_words(self) -> bool {
        matches!(self, Self::Words { least: 1, most: 1 })
    }

    /// # Errors
    /// No character or word, or a least number above the largest.
    pub(super) fn check(self) -> Result<(), ParamError> {
        let (Self::Words { least, most } | Self::Characters { least, most }) = self;
        check::at_least_one("TextTerms", "least", least)?;
        check::require(least <= most, "TextTerms", "most", most as f64, "at least as many as the least")?;
        Ok(())
    }

    /// Calls `found` with each term of a text: of words in the order of their last word, of characters word
    /// by word. Words have at least as many letters as the tokenizer says.
    pub fn each(self, tokenizer: Tokenizer, text: &str, found: impl FnMut(&str)) {
        self.of_words(tokenizer.tokens(text), found);
    }

    /// The same of words that are there.
    pub(super) fn of_words<'a>(self, words: impl Iterator<Item = Cow<'a, str>>, mut found: impl FnMut(&str)) {
        match self {
            Self::Words { least: 1, most: 1 } => words.for_each(|word| found(&word)),
            Self::Words { least, most } => {
                let mut last: VecDeque<Cow<'_, str>> = VecDeque::new();
                let mut term = String::new();
                for word in words {
                    last.push_back(word);
                    if last.len() > most {
                        last.pop_front();
                    }
                    for count in least..=last.len() {
                        term.clear();
                        for (place, word) in last.iter().skip(last.len() - count).enumerate() {
                            if place > 0 {
                                term.push(' ');
                            }
                            term += word;
                        }
                        found(&term);
                    }
                }
            }
            Self::Characters { least, most } => {
                let mut padded = String::new();
                let mut starts = Vec::new();
                for word in words {
                    padded.clear();
                    padded.push(' ');
                    padded += &word;
                    padded.push(' ');
                    starts.clear();
                    starts.extend(padded.char_indices().map(|(at, _)| at));
                    starts.push(padded.len());
                    for count in least..=most.min(starts.len() - 1) {
                        starts.windows(count + 1).for_each(|own| found(&padded[own[0]..own[count]]));
                    }
                }
            }
        }
    }
}
