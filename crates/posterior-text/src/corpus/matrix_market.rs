//! MatrixMarket coordinate files: documents x words, entries numbered from 1.
//!
//! ```text
//! %%MatrixMarket matrix coordinate integer general
//! % comments
//! D V NNZ
//! 1 7 2     document 1 has word 7 twice
//! ```

use std::io::{self, Write};

use super::lines::Lines;
use super::number::{entry_fields, excerpt, is_plausible, whole};
use super::open::Source;
use crate::{Corpus, Error};

/// Reads counts of words from a MatrixMarket matrix of documents x words, with `integer` or `real` entries,
/// which have to be whole numbers.
///
/// Without a vocabulary the words are called by their numbers from 1. Entries may come in any order; repeated
/// ones are added up. The documents are named by their numbers.
///
/// # Errors
/// The source cannot be read, or is not such a file: the message names the line.
pub fn read_matrix_market(source: Source, vocabulary: Option<Vec<String>>) -> Result<Corpus, Error> {
    let mut lines = Lines::new(source);
    let kind = Kind::read(&mut lines)?;
    let [documents, words, announced] = sizes(&mut lines)?;
    if let Some(vocabulary) = &vocabulary
        && vocabulary.len() != words as usize
    {
        let found = vocabulary.len();
        let error = lines.error(format!("{words} columns announced, but the vocabulary has {found}"));
        return Err(error.with_hint("rows are documents and columns words: transpose the matrix if not"));
    }
    let mut entries = Vec::new();
    while lines.advance_to_filled()? {
        let entry = entry(lines.line(), kind, documents, words).map_err(|message| lines.error(message))?;
        if entries.len() == announced as usize {
            return Err(lines.one_too_many(announced));
        }
        entries.push(entry);
    }
    if entries.len() < announced as usize {
        return Err(lines.ends_early(entries.len(), announced));
    }
    let size = documents.max(if vocabulary.is_none() { words } else { 0 });
    if !is_plausible(size as usize, entries.len()) {
        let found = entries.len();
        return Err(lines.contents_error(format!("{size} announced, but only {found} entries follow")));
    }
    entries.sort_by_key(|&(document, word, _)| (document, word));
    let vocabulary = vocabulary.unwrap_or_else(|| (1..=words).map(|word| word.to_string()).collect());
    let names = (1..=documents).map(|document| document.to_string()).collect();
    let mut rest = entries.as_slice();
    let rows = (0..documents).map(|before| {
        let (row, after) = rest.split_at(rest.partition_point(|entry| entry.0 <= before + 1));
        rest = after;
        row.iter().map(|&(_, word, count)| (word - 1, count)).collect()
    });
    Corpus::from_row_iter(vocabulary, names, rows).map_err(|error| error.in_file(lines.path()))
}

/// Writes the counts of `corpus` in this format, entries in order of document and word.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_matrix_market(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix coordinate integer general")?;
    writeln!(out, "% documents x words")?;
    writeln!(out, "{} {} {}", corpus.documents(), corpus.vocabulary().len(), corpus.entries())?;
    for (number, document) in (1_u64..).zip(corpus.iter()) {
        for (word, count) in document.words.iter().zip(document.counts) {
            writeln!(out, "{number} {} {count}", u64::from(*word) + 1)?;
        }
    }
    Ok(())
}

/// What the entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Real,
}

impl Kind {
    fn read(lines: &mut Lines) -> Result<Self, Error> {
        const HINT: &str = "the first line is: %%MatrixMarket matrix coordinate integer general";
        if !lines.advance()? {
            return Err(lines.contents_error("empty file: expected a MatrixMarket matrix").with_hint(HINT));
        }
        let line = lines.line().to_ascii_lowercase();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["%%matrixmarket", "matrix", "coordinate", "integer", "general"] => Ok(Self::Integer),
            ["%%matrixmarket", "matrix", "coordinate", "real", "general"] => Ok(Self::Real),
            ["%%matrixmarket", ..] => {
                let message = format!(
                    "expected a matrix in general integer or real coordinates, found {}",
                    excerpt(&line)
                );
                Err(lines.error(message).with_hint(HINT))
            }
            _ => {
                let message = format!("expected a MatrixMarket banner, found {}", excerpt(lines.line()));
                Err(lines.error(message).with_hint(HINT))
            }
        }
    }

    fn count(self, text: &str) -> Result<u32, String> {
        if self == Self::Integer {
            return whole("count", text);
        }
        match text.parse::<f64>() {
            Ok(value) if value >= 0.0 && value <= f64::from(u32::MAX) && value.trunc() == value => {
                Ok(value as u32)
            }
            _ => Err(format!("expected a count, a whole number from 0 up, found {}", excerpt(text))),
        }
    }
}

fn sizes(lines: &mut Lines) -> Result<[u32; 3], Error> {
    loop {
        if !lines.advance_to_filled()? {
            return Err(lines.error("the file ends before the line of sizes `documents words entries`"));
        }
        if !lines.line().starts_with('%') {
            break;
        }
    }
    let fields: Vec<&str> = lines.line().split_ascii_whitespace().collect();
    let [documents, words, entries] = fields.as_slice() else {
        let found = excerpt(lines.line());
        return Err(lines.error(format!("expected three numbers `documents words entries`, found {found}")));
    };
    let number = |what, text| whole(what, text).map_err(|message| lines.error(message));
    Ok([
        number("number of documents", documents)?,
        number("number of words", words)?,
        number("number of entries", entries)?,
    ])
}

fn entry(line: &str, kind: Kind, documents: u32, words: u32) -> Result<(u32, u32, u32), String> {
    let [document, word, count] = entry_fields(line)?;
    let index = |what: &str, text: &str, last: u32| match whole(what, text)? {
        0 => Err(format!("{what} 0: numbers start at 1")),
        number if number > last => Err(format!("{what} {number}, but {last} are announced")),
        number => Ok(number),
    };
    Ok((index("document", document, documents)?, index("word", word, words)?, kind.count(count)?))
}
