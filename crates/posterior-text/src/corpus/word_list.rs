//! Vocabulary files: one word a line, the line's place is the word's id.

use std::io::{self, Write};

use super::lines::Lines;
use super::open::Source;
use crate::{Corpus, Error};

/// Reads a vocabulary: one word a line, in the order of the ids.
///
/// White space around a word is dropped, blank lines at the end are passed over.
///
/// # Errors
/// The file is empty, cannot be read, has a blank line between words, or a word twice.
pub fn read_vocabulary(source: Source) -> Result<Vec<String>, Error> {
    let mut lines = Lines::new(source);
    let mut words = Vec::new();
    while lines.advance_item("a word")? {
        words.push(lines.line().trim().to_owned());
    }
    if words.is_empty() {
        return Err(lines.contents_error("empty file: expected a vocabulary, one word a line"));
    }
    if let Some((first, second)) = duplicate(&words) {
        let message = format!("the word {:?} is in line {} already", words[second], first + 1);
        return Err(Error::parse(lines.path(), second + 1, message));
    }
    Ok(words)
}

/// Writes the vocabulary of `corpus`, one word a line.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_vocabulary(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    corpus.vocabulary().iter().try_for_each(|word| writeln!(out, "{word}"))
}

/// The places of a word that occurs twice.
fn duplicate(words: &[String]) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&place| &words[place]);
    let twice = order.windows(2).filter(|pair| words[pair[0]] == words[pair[1]]);
    twice.map(|pair| (pair[0], pair[1])).min_by_key(|&(_, second)| second)
}
