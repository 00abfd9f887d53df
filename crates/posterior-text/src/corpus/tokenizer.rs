//! Words of a text: maximal runs of letters (and digits, where they are wanted), in lower case.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// A rule that takes texts apart into words.
///
/// ```
/// use posterior_text::corpus::{Accents, Tokenizer};
///
/// let words: Vec<_> = Tokenizer::default().tokens("The nation's cafés, 1790").collect();
/// assert_eq!(words, ["the", "nation", "cafés"]);
/// let folding = Tokenizer { accents: Accents::Fold, ..Tokenizer::default() };
/// assert_eq!(folding.tokens("Cafés").collect::<Vec<_>>(), ["cafes"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokenizer {
    /// The characters that are letters (default: those of every script).
    pub letters: LetterSet,
    /// Whether digits are letters (default: they separate words).
    pub digits: Digits,
    /// Whether é is a letter of its own (default: it is).
    pub accents: Accents,
    /// The effect of an apostrophe inside a word (default: it ends the word).
    pub apostrophes: Apostrophes,
    /// The least number of letters of a word (default: 3).
    pub min_length: usize,
}

/// The characters that are letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterSet {
    /// The letters of every script, by Unicode's property Alphabetic.
    Unicode,
    /// a-z and A-Z only, after accents are folded where they are; all others separate words.
    Ascii,
}

/// The role of a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// It separates words, as a blank does.
    Separate,
    /// It is a letter: "150p" is a word, and so is "2026". 0-9 where letters are [ASCII](LetterSet::Ascii),
    /// else those of every script.
    Keep,
}

/// The treatment of accents and other marks on letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accents {
    /// They stay; a letter and a mark count as the same whether they are written as one character or two.
    Keep,
    /// They are dropped, and compatibility characters such as ﬁ are taken apart (Unicode NFKD without marks).
    Fold,
}

/// The effect of an apostrophe (`'` or U+2019) between two letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apostrophes {
    /// It ends the word, and the letters after it are dropped: "nation's" is "nation".
    CutAfter,
    /// It is part of the word, as `'`: "nation's".
    Keep,
    /// It separates two words: "nation" and "s".
    Split,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Self {
            letters: LetterSet::Unicode,
            digits: Digits::Separate,
            accents: Accents::Keep,
            apostrophes: Apostrophes::CutAfter,
            min_length: 3,
        }
    }
}

impl Tokenizer {
    /// The words of `text` in order, those with enough letters.
    ///
    /// A word that is in lower case already is borrowed from the text.
    pub fn tokens(self, text: &str) -> Tokens<'_> {
        Tokens { words: self.words(text), min_length: self.min_length }
    }

    /// The words of `text` in order, whatever their length.
    pub(super) fn words(self, text: &str) -> Words<'_> {
        Words { rest: text, tokenizer: self }
    }

    /// Whether a byte of ASCII is part of a word.
    fn is_letter(self, byte: u8) -> bool {
        byte.is_ascii_alphabetic() || byte.is_ascii_digit() && self.digits == Digits::Keep
    }

    /// What `character` is outside ASCII.
    fn class(self, character: char) -> Class {
        let is_letter = |character: char| match (self.letters, self.digits) {
            (LetterSet::Unicode, Digits::Separate) => character.is_alphabetic(),
            (LetterSet::Unicode, Digits::Keep) => character.is_alphanumeric(),
            (LetterSet::Ascii, Digits::Separate) => character.is_ascii_alphabetic(),
            (LetterSet::Ascii, Digits::Keep) => character.is_ascii_alphanumeric(),
        };
        match self.accents {
            _ if is_combining_mark(character) => Class::Mark,
            Accents::Keep if is_letter(character) => Class::Letter,
            Accents::Keep => Class::Other,
            Accents::Fold => {
                let (mut letters, mut others) = (false, false);
                decompose_compatible(character, |part| {
                    letters |= is_letter(part);
                    others |= !is_letter(part) && !is_combining_mark(part);
                });
                if letters && !others { Class::Letter } else { Class::Other }
            }
        }
    }
}

/// What a character does to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It starts or continues a word.
    Letter,
    /// It continues a word.
    Mark,
    /// It ends a word.
    Other,
}

/// The words of a text: see [`Tokenizer::tokens`].
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    words: Words<'a>,
    min_length: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        self.words.find(|word| letters(word) >= self.min_length)
    }
}

/// The number of letters of a word, without its marks and apostrophes.
pub(super) fn letters(word: &str) -> usize {
    if word.is_ascii() {
        word.bytes().filter(u8::is_ascii_alphanumeric).count()
    } else {
        word.chars().filter(|&character| character != '\'' && !is_combining_mark(character)).count()
    }
}

/// The words of a text, whatever their length.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
    tokenizer: Tokenizer,
}

impl<'a> Iterator for Words<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_others();
        if self.rest.is_empty() {
            return None;
        }
        let mut word = self.take_run();
        while let Some(after) = self.after_apostrophe() {
            match self.tokenizer.apostrophes {
                Apostrophes::Split => break,
                Apostrophes::CutAfter => {
                    self.rest = after;
                    self.rest = &self.rest[self.run_length()..];
                }
                Apostrophes::Keep => {
                    self.rest = after;
                    let run = self.take_run();
                    let word = word.to_mut();
                    word.push('\'');
                    word.push_str(&run);
                }
            }
        }
        Some(word)
    }
}

impl<'a> Words<'a> {
    /// Goes to the next letter, or to the end.
    fn skip_others(&mut self) {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.tokenizer.is_letter(byte) {
                break;
            } else if byte.is_ascii() {
                at += 1;
            } else {
                let Some(character) = self.rest[at..].chars().next() else { break };
                if self.tokenizer.class(character) == Class::Letter {
                    break;
                }
                at += character.len_utf8();
            }
        }
        self.rest = &self.rest[at..];
    }

    /// The number of bytes of letters and marks at the start of the rest.
    fn run_length(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.tokenizer.is_letter(byte) {
                at += 1;
            } else if byte.is_ascii() {
                break;
            } else {
                let Some(character) = self.rest[at..].chars().next() else { break };
                if self.tokenizer.class(character) == Class::Other {
                    break;
                }
                at += character.len_utf8();
            }
        }
        at
    }

    /// Takes the letters and marks at the start of the rest, normalised.
    fn take_run(&mut self) -> Cow<'a, str> {
        let (run, rest) = self.rest.split_at(self.run_length());
        self.rest = rest;
        if !run.is_ascii() {
            Cow::Owned(self.tokenizer.accents.normalize(run))
        } else if run.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(run.to_ascii_lowercase())
        } else {
            Cow::Borrowed(run)
        }
    }

    /// What follows an apostrophe at the start of the rest, when that is a letter.
    fn after_apostrophe(&self) -> Option<&'a str> {
        let after = self.rest.strip_prefix(['\'', '\u{2019}'])?;
        let first = after.chars().next()?;
        let letter = match u8::try_from(first) {
            Ok(byte) if byte.is_ascii() => self.tokenizer.is_letter(byte),
            _ => self.tokenizer.class(first) == Class::Letter,
        };
        letter.then_some(after)
    }
}

impl Accents {
    fn normalize(self, run: &str) -> String {
        match self {
            Self::Keep => run.to_lowercase().nfc().collect(),
            // Lower case may bring a mark of its own, so marks go last.
            Self::Fold => {
                let decomposed: String = run.nfkd().collect();
                decomposed.to_lowercase().chars().filter(|&character| !is_combining_mark(character)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests;
