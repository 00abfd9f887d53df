//! From texts to names of symbols.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The characters of `text` (Unicode scalar values), as they are.
///
/// ```
/// use posterior_text::alphabet::characters;
///
/// assert!(characters("né").eq(["n", "é"]));
/// ```
pub fn characters(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.char_indices().map(|(start, character)| &text[start..start + character.len_utf8()])
}

/// `text` as small letters a to z and single spaces.
///
/// Capitals become small, accents go, apostrophes vanish without a trace ("don't" is "dont"), and every run
/// of anything else, letters of other scripts included, becomes one space; there is none at the beginning or
/// the end.
///
/// ```
/// use posterior_text::alphabet::letters;
///
/// assert_eq!(letters(" Don't stop: the Café opens at 9! "), "dont stop the cafe opens at");
/// ```
pub fn letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.nfkd() {
        if character.is_ascii_alphabetic() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(character.to_ascii_lowercase());
        } else if !is_apostrophe(character) && !is_combining_mark(character) {
            gap = true;
        }
    }
    out
}

/// The words of `text` in small letters.
///
/// A word is a run of letters, digits and combining marks as Unicode knows them; apostrophes between two of
/// them belong to it ("don't", also with the typographic apostrophe, which becomes the plain one). Everything
/// else separates, hyphens too. Nothing else is changed: `é` as one character and as two are different.
///
/// ```
/// use posterior_text::alphabet::words;
///
/// assert!(words("\"Don’t!\", said the dogs' 2nd owner").eq(["don't", "said", "the", "dogs", "2nd", "owner"]));
/// ```
pub fn words(text: &str) -> impl Iterator<Item = String> + Clone {
    Words { rest: text }
}

#[derive(Debug, Clone)]
struct Words<'a> {
    rest: &'a str,
}

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.rest = &self.rest[self.rest.find(belongs)?..];
        let mut word = String::new();
        let mut characters = self.rest.chars().peekable();
        let mut length = 0;
        while let Some(character) = characters.next() {
            length += character.len_utf8();
            if belongs(character) {
                word.extend(character.to_lowercase());
            } else if is_apostrophe(character) && characters.peek().copied().is_some_and(belongs) {
                word.push('\'');
            } else {
                break;
            }
        }
        self.rest = &self.rest[length..];
        Some(word)
    }
}

/// Whether a character is part of words.
fn belongs(character: char) -> bool {
    !is_apostrophe(character) && (character.is_alphanumeric() || is_combining_mark(character))
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | 'ʼ')
}
