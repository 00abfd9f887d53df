//! Symbols and their numbers: the names of letters, words, labels or attributes as 0, 1, 2, …

#[cfg(feature = "serde")]
mod serde_form;
mod text;

use std::fmt;
use std::hash::{BuildHasher, RandomState};

pub use text::{characters, letters, words};

use crate::error::Error;

/// The usual name of the symbol that stands for every name that is not in an alphabet.
pub const UNKNOWN: &str = "<unk>";
/// The usual name of the mark before the first symbol of a sequence.
pub const BEGIN: &str = "<s>";
/// The usual name of the mark after the last symbol of a sequence.
pub const END: &str = "</s>";

/// Names and their numbers 0, 1, 2, …, each name once.
///
/// A name gets the next number when it is first inserted; [`sorted`](Self::sorted) numbers by the order of
/// Unicode. To find the number of a name takes constant time on average, whatever the names are. Two
/// alphabets are equal if they have the same names in the same order.
///
/// There are no marks of beginning and end among the names unless one inserts them: models which know them
/// keep them apart. A symbol for what is unknown is a name as any other, say [`UNKNOWN`], which
/// [`encode_or`](Self::encode_or) takes.
///
/// ```
/// use posterior_text::alphabet::{Alphabet, UNKNOWN, words};
///
/// let mut alphabet = Alphabet::new();
/// let unknown = alphabet.insert(UNKNOWN);
/// let text = alphabet.intern(words("The dog saw the cat."));
/// assert_eq!(text, [1, 2, 3, 1, 4]);
/// assert_eq!(alphabet.name(4), Some("cat"));
/// assert_eq!(alphabet.encode_or(words("the cow"), unknown), [1, unknown]);
/// assert!(alphabet.encode(words("the cow")).is_err());
/// ```
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Vec<String>", try_from = "Vec<String>"))]
pub struct Alphabet {
    /// All names, one after the other.
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Numbers of names where their hash says, or the next free place; a power of two, at most half full.
    table: Vec<u32>,
    hasher: RandomState,
}

/// A place of the table without a name.
const FREE: u32 = u32::MAX;

impl Alphabet {
    /// An alphabet without a name.
    pub fn new() -> Self {
        Self::default()
    }

    /// The distinct names in the order of Unicode.
    pub fn sorted<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let seen: Self = names.into_iter().collect();
        let mut names: Vec<&str> = seen.iter().collect();
        names.sort_unstable();
        names.into_iter().collect()
    }

    /// The names which occur at least `minimum` times, in the order in which they are first met.
    pub fn frequent<S: AsRef<str>>(names: impl IntoIterator<Item = S>, minimum: usize) -> Self {
        let mut all = Self::new();
        let mut counts: Vec<usize> = Vec::new();
        for name in names {
            let symbol = all.insert(name.as_ref());
            counts.resize(all.len(), 0);
            counts[symbol] += 1;
        }
        all.iter().zip(&counts).filter(|&(_, &count)| count >= minimum).map(|(name, _)| name).collect()
    }

    /// The alphabet with these names, which must differ.
    ///
    /// # Errors
    /// A name that comes twice.
    pub fn from_names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Result<Self, Error> {
        let mut alphabet = Self::new();
        for (position, name) in names.into_iter().enumerate() {
            if alphabet.insert(name.as_ref()) != position {
                let message = format!("the name {:?} comes twice", name.as_ref());
                return Err(Error::Observation { sequence: 0, position, message });
            }
        }
        Ok(alphabet)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of `name`, if the alphabet has it.
    pub fn get(&self, name: &str) -> Option<usize> {
        if self.table.is_empty() {
            return None;
        }
        let symbol = self.table[self.place(name)];
        (symbol != FREE).then_some(symbol as usize)
    }

    /// The number of `name`, the next one if the alphabet does not have it yet.
    ///
    /// # Panics
    /// At 2³² - 1 names.
    pub fn insert(&mut self, name: &str) -> usize {
        if 2 * (self.len() + 1) > self.table.len() {
            self.grow();
        }
        let place = self.place(name);
        if self.table[place] != FREE {
            return self.table[place] as usize;
        }
        let symbol = self.len();
        let number = u32::try_from(symbol).ok().filter(|&number| number != FREE);
        self.table[place] = number.expect("an alphabet has fewer than 2^32 names");
        self.text.push_str(name);
        self.ends.push(self.text.len());
        symbol
    }

    /// The name of `symbol`; `None` if there are not that many.
    pub fn name(&self, symbol: usize) -> Option<&str> {
        (symbol < self.len()).then(|| self.known(symbol))
    }

    /// The names in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|symbol| self.known(symbol))
    }

    /// The numbers of `names`; new names get the next numbers.
    pub fn intern<S: AsRef<str>>(&mut self, names: impl IntoIterator<Item = S>) -> Vec<usize> {
        names.into_iter().map(|name| self.insert(name.as_ref())).collect()
    }

    /// The numbers of `names`.
    ///
    /// # Errors
    /// The position of the first name that the alphabet does not have.
    pub fn encode<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Result<Vec<usize>, Error> {
        let number = |(position, name): (usize, S)| {
            self.get(name.as_ref()).ok_or_else(|| Error::Observation {
                sequence: 0,
                position,
                message: format!("{:?} is not in the alphabet", name.as_ref()),
            })
        };
        names.into_iter().enumerate().map(number).collect()
    }

    /// The numbers of `names`, and `unknown` for each that the alphabet does not have.
    pub fn encode_or<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>, unknown: usize) -> Vec<usize> {
        names.into_iter().map(|name| self.get(name.as_ref()).unwrap_or(unknown)).collect()
    }

    /// The names of `symbols` with `separator` between them: `""` for characters, `" "` for words.
    ///
    /// # Errors
    /// The position of the first symbol that has no name.
    pub fn decode(&self, symbols: &[usize], separator: &str) -> Result<String, Error> {
        let mut text = String::new();
        for (position, &symbol) in symbols.iter().enumerate() {
            let name = self.name(symbol).ok_or_else(|| Error::Observation {
                sequence: 0,
                position,
                message: format!("symbol {symbol} has no name, there are {}", self.len()),
            })?;
            if position > 0 {
                text.push_str(separator);
            }
            text.push_str(name);
        }
        Ok(text)
    }

    pub(crate) fn known(&self, symbol: usize) -> &str {
        let start = if symbol == 0 { 0 } else { self.ends[symbol - 1] };
        &self.text[start..self.ends[symbol]]
    }

    /// Where `name` is in the table, or else would be.
    fn place(&self, name: &str) -> usize {
        let mask = self.table.len() - 1;
        let mut place = self.hasher.hash_one(name) as usize & mask;
        while self.table[place] != FREE && self.known(self.table[place] as usize) != name {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        self.table = vec![FREE; (2 * self.table.len()).max(16)];
        let mask = self.table.len() - 1;
        for symbol in 0..self.len() {
            let mut place = self.hasher.hash_one(self.known(symbol)) as usize & mask;
            while self.table[place] != FREE {
                place = (place + 1) & mask;
            }
            self.table[place] = symbol as u32;
        }
    }
}

impl PartialEq for Alphabet {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Alphabet {}

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Alphabet {
    /// The distinct names in the order in which they are first met.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut alphabet = Self::new();
        alphabet.extend(names);
        alphabet
    }
}

impl<S: AsRef<str>> Extend<S> for Alphabet {
    fn extend<I: IntoIterator<Item = S>>(&mut self, names: I) {
        for name in names {
            self.insert(name.as_ref());
        }
    }
}
