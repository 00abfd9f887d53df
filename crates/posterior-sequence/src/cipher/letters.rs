//! The letters of a language, and texts as rows of them.

use posterior_math::check;

use crate::error::Error;

/// The most letters that a language can have here.
pub(super) const MOST: usize = 64;

/// The characters that a plain text is made of, numbered in this order. They are lower-case, and one of them
/// may be the space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letters {
    characters: Vec<char>,
}

impl Letters {
    /// The space and a to z: 27 symbols, the space is 0.
    pub fn english() -> Self {
        Self { characters: std::iter::once(' ').chain('a'..='z').collect() }
    }

    /// These characters.
    ///
    /// # Errors
    /// If there are less than 2 or more than 64, or one comes twice.
    pub fn new(characters: impl IntoIterator<Item = char>) -> Result<Self, Error> {
        let characters: Vec<char> = characters.into_iter().collect();
        let count = characters.len();
        check::require(
            (2..=MOST).contains(&count),
            "Letters",
            "number of characters",
            count as f64,
            "from 2 to 64",
        )?;
        for (position, character) in characters.iter().enumerate() {
            if characters[..position].contains(character) {
                let message = format!("the character {character:?} comes twice");
                return Err(Error::Observation { sequence: 0, position, message });
            }
        }
        Ok(Self { characters })
    }

    /// The number of letters.
    #[expect(clippy::len_without_is_empty, reason = "there are at least two")]
    pub const fn len(&self) -> usize {
        self.characters.len()
    }

    /// The characters in the order of their numbers.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The number of the space, if it is one of them.
    pub fn space(&self) -> Option<usize> {
        self.index(' ')
    }

    /// The number of a character in its lower case; `None` for all others.
    pub fn index(&self, character: char) -> Option<usize> {
        let mut lower = character.to_lowercase();
        let (Some(first), None) = (lower.next(), lower.next()) else { return None };
        self.characters.iter().position(|&known| known == first)
    }

    /// A text as numbers: apostrophes are dropped; a run of other characters that are no letters is one
    /// space, if the space is one of the letters, and nothing otherwise. No space at the beginning or the
    /// end.
    pub fn read(&self, text: &str) -> Vec<usize> {
        let space = self.space();
        let mut symbols = Vec::with_capacity(text.len());
        for character in text.chars().filter(|character| !matches!(character, '\'' | '\u{2019}')) {
            let letter = self.index(character).filter(|&symbol| Some(symbol) != space);
            let gap = space.filter(|space| symbols.last().is_some_and(|last| last != space));
            symbols.extend(letter.or(gap));
        }
        if symbols.last().is_some_and(|&last| Some(last) == space) {
            symbols.pop();
        }
        symbols
    }

    /// The characters of these numbers.
    ///
    /// # Errors
    /// The position of the first number that there is no character for.
    pub fn write(&self, symbols: &[usize]) -> Result<String, Error> {
        let character = |(position, &symbol): (usize, &usize)| {
            self.characters.get(symbol).copied().ok_or_else(|| Error::Observation {
                sequence: 0,
                position,
                message: format!("symbol {symbol} is none of {} letters", self.len()),
            })
        };
        symbols.iter().enumerate().map(character).collect()
    }
}
