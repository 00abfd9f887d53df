//! Words that say nothing about the topic of a text.

use std::collections::BTreeSet;
use std::path::Path;

use super::lines::Lines;
use super::open::Source;
use super::tokenizer::Tokenizer;
use crate::Error;

/// Function words of English and common contractions, in alphabetical order: articles, pronouns,
/// prepositions, conjunctions, auxiliary and modal verbs, and adverbs of degree, time and reference. Nouns,
/// full verbs, adjectives and numbers beyond "one" are left in: in some corpus they are what a topic is
/// about.
const ENGLISH: &str = include_str!("stop_words/english.txt");

/// A list of words to leave out.
///
/// The words of a list are cut into words by the same [`Tokenizer`] as the texts, so that "don't" leaves out
/// what "don't" in a text becomes.
///
/// ```
/// use posterior_text::corpus::StopWords;
///
/// assert!(StopWords::english().contains("whereas"));
/// assert_eq!(StopWords::new(["uh", "um"]).len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StopWords(BTreeSet<String>);

impl StopWords {
    /// The list of these words.
    pub fn new<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Self {
        Self(words.into_iter().map(Into::into).collect())
    }

    /// No word at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// English function words.
    pub fn english() -> Self {
        Self::new(ENGLISH.lines())
    }

    /// The function words of a language by its code of two letters (ISO 639-1), such as "de": the lists of
    /// the project Stopwords ISO. Its English list is longer than [`english`](Self::english).
    ///
    /// ```
    /// use posterior_text::corpus::StopWords;
    ///
    /// assert!(StopWords::language("de")?.contains("und"));
    /// assert!(StopWords::language("klingon").is_err());
    /// # Ok::<(), posterior_text::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no list for it: the hint names those there are.
    pub fn language(code: &str) -> Result<Self, Error> {
        let words = ::stop_words::lookup(code).ok_or_else(|| {
            let error = Error::Corpus(format!("no stop words for the language {code:?}"));
            error.with_hint(format!("there are: {}", Self::languages().join(", ")))
        })?;
        Ok(Self::new(words.iter().copied()))
    }

    /// What a user names: `none`, the code of a [language](Self::language), or a [file](Self::read). A file
    /// comes before a language of the same name.
    ///
    /// # Errors
    /// There is no list of the language, or the file cannot be read or holds no word.
    pub fn named(name: impl AsRef<Path>) -> Result<Self, Error> {
        let path = name.as_ref();
        let is_code = |code: &str| code.len() == 2 && code.bytes().all(|own| own.is_ascii_lowercase());
        match path.to_str() {
            Some("none") => Ok(Self::none()),
            Some(code) if is_code(code) && !path.exists() => Self::language(code),
            _ => Self::read(Source::open(path)?),
        }
    }

    /// The codes of the languages that have a list, in alphabetical order.
    pub fn languages() -> &'static [&'static str] {
        ::stop_words::available_languages()
    }

    /// A list from a file: one or more words a line; what follows a `#` is a comment.
    ///
    /// # Errors
    /// The file cannot be read, or holds no word.
    pub fn read(source: Source) -> Result<Self, Error> {
        let mut lines = Lines::new(source);
        let mut words = BTreeSet::new();
        while lines.advance()? {
            let line = lines.line().split('#').next().unwrap_or_default();
            words.extend(line.split_whitespace().map(str::to_owned));
        }
        if words.is_empty() {
            let error = lines.contents_error("no words: expected a list of stop words, one a line");
            return Err(error.with_hint("leave the option out to keep all words"));
        }
        Ok(Self(words))
    }

    /// Whether `word` is on the list, letter by letter.
    pub fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// The number of words on the list.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no word is on the list.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The list as `tokenizer` makes words of it, however short.
    pub(super) fn tokenized(&self, tokenizer: Tokenizer) -> Self {
        Self::new(self.iter().flat_map(|word| tokenizer.words(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Apostrophes;

    #[test]
    fn the_english_list_is_sorted_without_repetition_and_in_lower_case() {
        assert!(ENGLISH.lines().is_sorted_by(|a, b| a < b));
        assert!(ENGLISH.bytes().all(|byte| byte.is_ascii_lowercase() || b"'\n".contains(&byte)));
    }

    #[test]
    fn contractions_follow_the_tokenizer() {
        let list = StopWords::new(["don't", "Whereas"]);
        let words = |apostrophes| {
            let list = list.tokenized(Tokenizer { apostrophes, ..Tokenizer::default() });
            list.iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(Apostrophes::CutAfter), "don whereas");
        assert_eq!(words(Apostrophes::Keep), "don't whereas");
        assert_eq!(words(Apostrophes::Split), "don t whereas");
    }
}
