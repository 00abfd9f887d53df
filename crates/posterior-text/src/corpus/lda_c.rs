//! The LDA-C format: a document a line, `n word:count word:count ...`, words numbered from 0.

use std::io::{self, Write};

use super::lines::Lines;
use super::number::{excerpt, is_plausible, whole};
use super::open::Source;
use crate::{Corpus, Error};

/// Reads LDA-C counts. Without a vocabulary the words are named by their numbers.
///
/// Documents are named by their line; `0` is an empty one. Repeated words of a document are added up.
///
/// # Errors
/// The source cannot be read or is empty, a line does not hold as many `word:count` pairs as it announces, or
/// a word is outside the vocabulary.
pub fn read_lda_c(source: Source, vocabulary: Option<Vec<String>>) -> Result<Corpus, Error> {
    let mut reader = Rows::new(source, vocabulary.as_ref().map(Vec::len));
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row()? {
        rows.push(row);
    }
    let lines = reader.lines;
    if rows.is_empty() {
        return Err(lines.contents_error(EMPTY));
    }
    let vocabulary = match vocabulary {
        Some(vocabulary) => vocabulary,
        None => numbered(&lines, &rows)?,
    };
    let names = (1..=rows.len()).map(|number| number.to_string()).collect();
    Corpus::from_rows(vocabulary, names, rows).map_err(|error| error.in_file(lines.path()))
}

/// Writes the counts of `corpus` in this format.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_lda_c(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    for document in corpus.iter() {
        write!(out, "{}", document.words.len())?;
        for (word, count) in document.words.iter().zip(document.counts) {
            write!(out, " {word}:{count}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Words from 0, and counts.
type Row = Vec<(u32, u32)>;

/// The rows of a file, one at a time.
pub(super) struct Rows {
    lines: Lines,
    vocabulary: Option<usize>,
}

impl Rows {
    pub(super) fn new(source: Source, vocabulary: Option<usize>) -> Self {
        Self { lines: Lines::new(source), vocabulary }
    }

    /// The words and counts of the next document; `None` after the last.
    pub(super) fn next_row(&mut self) -> Result<Option<Row>, Error> {
        if !self.lines.advance_item(EXPECTED)? {
            return match self.lines.number() {
                0 => Err(self.lines.contents_error(EMPTY)),
                _ => Ok(None),
            };
        }
        let row = row(self.lines.line()).map_err(|message| self.lines.error(message))?;
        if let Some(vocabulary) = self.vocabulary {
            check_words(&self.lines, &row, vocabulary)?;
        }
        Ok(Some(row))
    }
}

const EXPECTED: &str = "a document (`0` for an empty one)";
const EMPTY: &str = "empty file: expected LDA-C counts, a document a line";

fn check_words(lines: &Lines, row: &[(u32, u32)], vocabulary: usize) -> Result<(), Error> {
    let Some(&(word, _)) = row.iter().find(|&&(word, _)| word as usize >= vocabulary) else { return Ok(()) };
    let error = lines.error(format!("word {word} in a vocabulary of {vocabulary}"));
    Err(error.with_hint("LDA-C counts words from 0; the UCI format counts from 1"))
}

/// The words and counts of a document.
fn row(line: &str) -> Result<Vec<(u32, u32)>, String> {
    let mut fields = line.split_ascii_whitespace();
    let announced = whole("number of distinct words", fields.next().unwrap_or_default())?;
    let row = fields.map(pair).collect::<Result<Vec<_>, _>>()?;
    if row.len() == announced as usize {
        Ok(row)
    } else {
        Err(format!("{announced} distinct words announced, {} found", row.len()))
    }
}

fn pair(field: &str) -> Result<(u32, u32), String> {
    let (word, count) =
        field.split_once(':').ok_or_else(|| format!("expected `word:count`, found {}", excerpt(field)))?;
    Ok((whole("word", word)?, whole("count", count)?))
}

/// The numbers from 0 as words, unless there are more than the documents can mean.
fn numbered(lines: &Lines, rows: &[Row]) -> Result<Vec<String>, Error> {
    let words = rows.iter().flatten().map(|&(word, _)| word as usize + 1).max().unwrap_or(0);
    let entries: usize = rows.iter().map(Vec::len).sum();
    if !is_plausible(words, entries) {
        let message = format!("the largest word is {}, but there are only {entries} entries", words - 1);
        return Err(lines.contents_error(message).with_hint("give the vocabulary"));
    }
    Ok((0..words).map(|word| word.to_string()).collect())
}
