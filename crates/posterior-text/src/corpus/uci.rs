//! The UCI bag of words: three numbers, then `document word count` a line, numbered from 1.
//!
//! ```text
//! D     documents
//! V     words of the vocabulary, which is in a file of its own, one word a line
//! NNZ   entries that follow
//! 1 7 2 document 1 has word 7 twice
//! ```

use std::io::{self, Write};

use super::lines::Lines;
use super::number::{excerpt, whole};
use super::open::Source;
use crate::{Corpus, Error};

/// Reads the word counts of a UCI `docword` file; `vocabulary` holds its words by id.
///
/// Entries may come in any order; repeated ones are added up. The documents are named by their numbers.
///
/// # Errors
/// The source cannot be read, or does not hold what its three header lines announce: the message names the
/// line, and the error has a [hint](Error::hint) where the cause is a common one.
pub fn read_uci(source: Source, vocabulary: Vec<String>) -> Result<Corpus, Error> {
    let mut lines = Lines::new(source);
    let header = Header::read(&mut lines, vocabulary.len())?;
    let mut entries = read_entries(&mut lines, &header)?;
    header.check_documents(&lines, entries.len())?;
    if !entries.is_sorted_by_key(|entry| entry.document) {
        entries.sort_by_key(|entry| entry.document);
    }
    let names = (1..=header.documents).map(|document| document.to_string()).collect();
    let mut rest = entries.as_slice();
    let rows = (0..header.documents).map(|before| {
        let document = before + 1;
        let length = rest.iter().take_while(|entry| entry.document == document).count();
        let (row, after) = rest.split_at(length);
        rest = after;
        row.iter().map(|entry| (entry.word - 1, entry.count)).collect()
    });
    Corpus::from_row_iter(vocabulary, names, rows).map_err(|error| error.in_file(lines.path()))
}

/// Writes the counts of `corpus` in this format, entries in order of document and word.
///
/// # Errors
/// Whatever `out` refuses.
pub fn write_uci(corpus: &Corpus, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{}\n{}\n{}", corpus.documents(), corpus.vocabulary().len(), corpus.entries())?;
    for (number, document) in (1..).zip(corpus.iter()) {
        for (word, count) in document.words.iter().zip(document.counts) {
            writeln!(out, "{number} {} {count}", u64::from(*word) + 1)?;
        }
    }
    Ok(())
}

/// What the first three lines announce.
struct Header {
    documents: u32,
    words: u32,
    entries: u32,
}

/// One line of counts; document and word are numbered from 1.
struct Entry {
    document: u32,
    word: u32,
    count: u32,
}

impl Header {
    fn read(lines: &mut Lines, vocabulary: usize) -> Result<Self, Error> {
        let documents = Self::number(lines, "number of documents")?;
        let words = Self::number(lines, "number of words")?;
        if words as usize != vocabulary {
            let error = lines.error(format!("{words} words announced, but the vocabulary has {vocabulary}"));
            return Err(error.with_hint("give the vocabulary that belongs to these counts"));
        }
        let entries = Self::number(lines, "number of entries")?;
        Ok(Self { documents, words, entries })
    }

    fn number(lines: &mut Lines, what: &str) -> Result<u32, Error> {
        const HINT: &str = "a UCI bag of words starts with three lines: documents, words, entries";
        if !lines.advance_to_filled()? {
            let error = match lines.number() {
                0 => lines.contents_error("empty file: expected a UCI bag of words"),
                _ => lines.error(format!("the file ends before the {what}")),
            };
            return Err(error.with_hint(HINT));
        }
        whole(what, lines.line().trim()).map_err(|message| lines.error(message).with_hint(HINT))
    }

    /// Refuses a number of documents that would fill the memory with nothing.
    fn check_documents(&self, lines: &Lines, entries: usize) -> Result<(), Error> {
        const EMPTY_FOR_EACH_ENTRY: usize = 16;
        const ALWAYS_ALLOWED: usize = 1 << 20;
        if self.documents as usize > ALWAYS_ALLOWED.max(EMPTY_FOR_EACH_ENTRY * entries) {
            let documents = self.documents;
            let message = format!("{documents} documents announced, but only {entries} entries follow");
            return Err(Error::parse(lines.path(), 1, message));
        }
        Ok(())
    }
}

fn read_entries(lines: &mut Lines, header: &Header) -> Result<Vec<Entry>, Error> {
    /// Memory is taken as lines come, not as the header announces.
    const AT_ONCE: u32 = 1 << 20;
    let mut entries = Vec::with_capacity(header.entries.min(AT_ONCE) as usize);
    while lines.advance_to_filled()? {
        let entry = checked_entry(lines, header)?;
        if entries.len() == header.entries as usize {
            return Err(one_too_many(lines, header.entries));
        }
        entries.push(entry);
    }
    if entries.len() < header.entries as usize {
        return Err(ends_early(lines, entries.len(), header.entries));
    }
    Ok(entries)
}

/// Words from 0, and counts.
type Row = Vec<(u32, u32)>;

/// The rows of a file whose entries are in the order of their documents, one at a time.
pub(super) struct Rows {
    lines: Lines,
    header: Header,
    /// Documents that were given out, and entries that were read.
    documents: u32,
    entries: u32,
    /// The first entry of the next document.
    ahead: Option<Entry>,
}

impl Rows {
    pub(super) fn new(source: Source, vocabulary: usize) -> Result<Self, Error> {
        let mut lines = Lines::new(source);
        let header = Header::read(&mut lines, vocabulary)?;
        let mut rows = Self { lines, header, documents: 0, entries: 0, ahead: None };
        // Refused before the first of too many empty documents is given out.
        rows.header.check_documents(&rows.lines, rows.header.entries as usize)?;
        rows.ahead = rows.next_entry()?;
        Ok(rows)
    }

    /// The words, from 0, and counts of the next document; `None` after the last.
    pub(super) fn next_row(&mut self) -> Result<Option<Row>, Error> {
        if self.documents == self.header.documents {
            return Ok(None);
        }
        self.documents += 1;
        let mut row = Vec::new();
        while let Some(entry) = self.ahead.take_if(|entry| entry.document == self.documents) {
            row.push((entry.word - 1, entry.count));
            self.ahead = self.next_entry()?;
        }
        match &self.ahead {
            Some(entry) if entry.document < self.documents => {
                let (found, after) = (entry.document, self.documents);
                let error = self.lines.error(format!("document {found} after document {after}"));
                Err(error.with_hint("sort the entries by document, or read the whole corpus into memory"))
            }
            _ => Ok(Some(row)),
        }
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        let announced = self.header.entries;
        if !self.lines.advance_to_filled()? {
            if self.entries == announced {
                return Ok(None);
            }
            return Err(ends_early(&self.lines, self.entries as usize, announced));
        }
        let entry = checked_entry(&self.lines, &self.header)?;
        if self.entries == announced {
            return Err(one_too_many(&self.lines, announced));
        }
        self.entries += 1;
        Ok(Some(entry))
    }
}

fn checked_entry(lines: &Lines, header: &Header) -> Result<Entry, Error> {
    entry(lines.line(), header).map_err(|Complaint { message, hint }| {
        let error = lines.error(message);
        if hint.is_empty() { error } else { error.with_hint(hint) }
    })
}

fn one_too_many(lines: &Lines, announced: u32) -> Error {
    lines.error(format!("one entry more than the {announced} announced"))
}

fn ends_early(lines: &Lines, found: usize, announced: u32) -> Error {
    let error = lines.error(format!("the file ends after {found} of the {announced} entries announced"));
    error.with_hint("it may be cut off: copy or download it again")
}

/// What is wrong with a line, and advice, which may be empty.
struct Complaint {
    message: String,
    hint: &'static str,
}

impl From<String> for Complaint {
    fn from(message: String) -> Self {
        Self { message, hint: "" }
    }
}

fn entry(line: &str, header: &Header) -> Result<Entry, Complaint> {
    let mut fields = line.split_ascii_whitespace();
    let (Some(document), Some(word), Some(count), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(format!("expected three numbers `document word count`, found {}", excerpt(line)).into());
    };
    Ok(Entry {
        document: index("document", document, header.documents)?,
        word: index("word", word, header.words)?,
        count: whole("count", count)?,
    })
}

/// A number from 1 to `last`.
fn index(what: &str, text: &str, last: u32) -> Result<u32, Complaint> {
    let number = whole(what, text)?;
    if number == 0 {
        let hint = "the UCI format counts from 1 (LDA-C counts from 0)";
        return Err(Complaint { message: format!("{what} 0: numbers start at 1"), hint });
    }
    if number > last {
        return Err(format!("{what} {number}, but the header announces {last}").into());
    }
    Ok(number)
}
