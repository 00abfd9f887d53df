//! Word counts of the State of the Union addresses of the United States, 1790-2022.
//!
//! The figures are 280 kB of the binary; [`load`] decodes them in a few milliseconds. `cargo xtask datasets
//! sotu` makes the embedded file from the counts, the vocabulary and the table of addresses.

mod decode;
mod export;

use std::fmt;

pub(crate) use export::{write_docword, write_meta, write_vocab};

static EMBEDDED: &[u8] = include_bytes!("../data/sotu.gz");

/// Where the counts are from, under which terms, and how they were made.
pub const PROVENANCE: &str = "\
What: word counts of 241 State of the Union addresses of the presidents of the United States, 1790-2022, speeches
and written messages; the first addresses of new presidents to Congress are included. 1933, 1973 and 2021 are
missing; 1790, 1945, 1953, 1956, 1961, 1972, 1974 and 1978-1981 have two texts each.
Source: texts of the R package sotu 1.0.4 for 1790-2020; the text of 2022 from a public repository.
Terms: the addresses are works of the United States government and in the public domain, as the package (itself
GPL-2) states. Only counts of their words are embedded, neither the texts nor anything of the package.
How counted: accents dropped, lower case; words are runs of the letters a-z, and what follows an apostrophe is
dropped (\"nation's\" counts as \"nation\"); three letters or more; the 318 words of scikit-learn's English list
and the stems of contractions (\"don\", \"isn\") removed; words in at least 5 addresses and in at most 90 % of them
(10,478), and of these the 10,000 most frequent, in alphabetical order. A few texts have stage notes such as
\"(Applause)\".
";

/// The word counts of all addresses, in order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateOfTheUnion {
    /// The words in alphabetical order; the position of a word is its id.
    pub vocabulary: Vec<String>,
    /// The addresses in order of time.
    pub addresses: Vec<Address>,
}

/// One address: who gave it when, and how often it uses each word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Address {
    /// The year in which it was given.
    pub year: u16,
    /// The president, as in "Abraham Lincoln".
    pub president: String,
    /// The president's party then, as in "Republican"; George Washington's is "Nonpartisan".
    pub party: String,
    /// Whether it was spoken or sent.
    pub form: Delivery,
    /// A name that no other address has, as in "1961_John-F-Kennedy".
    pub name: String,
    /// Pairs of word id and count, ids increasing, counts at least one.
    pub counts: Vec<(u32, u32)>,
}

/// How an address reached Congress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Delivery {
    /// Spoken before Congress.
    Speech,
    /// Sent as a text.
    Written,
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Speech => "speech",
            Self::Written => "written",
        })
    }
}

impl Address {
    /// The year and the president, as in "1862 Abraham Lincoln".
    pub fn title(&self) -> String {
        format!("{} {}", self.year, self.president)
    }

    /// The number of counted words.
    pub fn tokens(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| u64::from(count)).sum()
    }
}

impl StateOfTheUnion {
    /// The number of counted words in all addresses together: 752,659.
    pub fn tokens(&self) -> u64 {
        self.addresses.iter().map(Address::tokens).sum()
    }

    /// The number of distinct (address, word) pairs: 338,114.
    pub fn entries(&self) -> usize {
        self.addresses.iter().map(|address| address.counts.len()).sum()
    }
}

/// Where the counts are from, under which terms, and how they were made: [`PROVENANCE`].
pub fn provenance() -> &'static str {
    PROVENANCE
}

/// Decodes the embedded counts.
///
/// # Panics
/// Never: the bytes are part of the binary, and the tests of this crate decode all of them.
pub fn load() -> StateOfTheUnion {
    decode::decode(EMBEDDED).expect("the embedded bytes never change, and the tests decode them")
}
