//! Cipher texts: their symbols, what is known of them, and the text around the symbols.

use super::key::Key;
use super::language::Language;
use crate::error::Error;
use posterior_math::check::DimensionError;

/// Whether spaces are what they seem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spaces {
    /// Letters are enciphered, and between words is what was there: everything that is no letter stays as it
    /// is.
    #[default]
    Kept,
    /// Each character is enciphered, the space too. Ends of lines are not looked at.
    Enciphered,
}

/// A cipher text as symbols 0, 1, 2, … in the order of their characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ciphertext {
    symbols: Vec<usize>,
    /// The characters of the symbols; fewer than there are letters, perhaps.
    characters: Vec<char>,
    /// The letter that a symbol is known to stand for; m of them.
    fixed: Vec<Option<usize>>,
    /// The text piece by piece.
    layout: Vec<Piece>,
    plain_characters: Vec<char>,
}

/// A character of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// A symbol, as a capital letter or not.
    Symbol { symbol: usize, capital: bool },
    /// A character that stays as it is.
    Literal(char),
}

impl Ciphertext {
    /// Reads a text that was made from one of `language`.
    ///
    /// With [`Spaces::Kept`], letters of any script are symbols, and capitals stay capitals. Where the
    /// language has a space, it is known, and stands for each run of characters between letters.
    ///
    /// # Errors
    /// If there is no symbol, or there are more different ones than the language has letters.
    pub fn read(text: &str, spaces: Spaces, language: &Language) -> Result<Self, Error> {
        let letters = language.letters();
        let space = letters.space().filter(|_| spaces == Spaces::Kept);
        let folded = |character: char| symbol_of(character, spaces);
        let mut characters: Vec<char> = text.chars().filter_map(folded).collect();
        characters.sort_unstable();
        characters.dedup();
        let most = letters.len() - usize::from(space.is_some());
        if characters.len() > most {
            return Err(DimensionError::new(
                "different symbols of the cipher text, at most the letters of the language",
                most,
                characters.len(),
            )
            .into());
        }
        if characters.is_empty() {
            return Err(Error::TooFew { what: "a cipher text", needed: "a letter" });
        }
        // The known space comes after the symbols of the text.
        let gap = characters.len();
        let mut fixed = vec![None; letters.len()];
        if let Some(space) = space {
            fixed[gap] = Some(space);
        }
        let mut symbols = Vec::with_capacity(text.len());
        let mut layout = Vec::with_capacity(text.len());
        for character in text.chars() {
            let symbol = folded(character).and_then(|folded| characters.binary_search(&folded).ok());
            if let Some(symbol) = symbol {
                symbols.push(symbol);
                let capital = spaces == Spaces::Kept && character.is_uppercase();
                layout.push(Piece::Symbol { symbol, capital });
                continue;
            }
            layout.push(Piece::Literal(character));
            let between = space.is_some() && !matches!(character, '\'' | '\u{2019}');
            if between && symbols.last().is_some_and(|&last| last != gap) {
                symbols.push(gap);
            }
        }
        if symbols.last() == Some(&gap) {
            symbols.pop();
        }
        Ok(Self { symbols, characters, fixed, layout, plain_characters: letters.characters().to_vec() })
    }

    /// The text as symbols, with the known space between words.
    pub fn symbols(&self) -> &[usize] {
        &self.symbols
    }

    /// The characters of the symbols 0, 1, …, without the known space.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The letter that each of m symbols is known to stand for.
    pub fn fixed(&self) -> &[Option<usize>] {
        &self.fixed
    }

    /// The count of each of m symbols.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.fixed.len()];
        self.symbols.iter().for_each(|&symbol| counts[symbol] += 1);
        counts
    }

    /// The text under a key, with what is no symbol, and capitals, as they were.
    ///
    /// # Panics
    /// If the key has another number of letters.
    #[track_caller]
    pub fn decipher(&self, key: &Key) -> String {
        assert_eq!(key.plain().len(), self.fixed.len(), "letters of the key");
        let mut text = String::with_capacity(self.layout.len());
        for &piece in &self.layout {
            match piece {
                Piece::Literal(character) => text.push(character),
                Piece::Symbol { symbol, capital } => {
                    let letter = self.plain_characters[key.plain()[symbol]];
                    if capital {
                        text.extend(letter.to_uppercase());
                    } else {
                        text.push(letter);
                    }
                }
            }
        }
        text
    }
}

/// The character that is a symbol of the cipher text for this one.
fn symbol_of(character: char, spaces: Spaces) -> Option<char> {
    match spaces {
        Spaces::Enciphered => (!matches!(character, '\n' | '\r')).then_some(character),
        Spaces::Kept if character.is_alphabetic() => {
            let mut lower = character.to_lowercase();
            lower.next().filter(|_| lower.next().is_none())
        }
        Spaces::Kept => None,
    }
}
