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
use super::number::{entry_fields, is_plausible, whole};
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
    /// Memory is taken as lines come, not as the header announces.
    const AT_ONCE: u32 = 1 << 20;
    let mut file = Entries::begin(source, vocabulary.len())?;
    let mut entries = Vec::with_capacity(file.header.entries.min(AT_ONCE) as usize);
    while let Some(entry) = file.next()? {
        entries.push(entry);
    }
    let Entries { lines, header, .. } = file;
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
        if !is_plausible(self.documents as usize, entries) {
            let documents = self.documents;
            let message = format!("{documents} documents announced, but only {entries} entries follow");
            return Err(Error::parse(lines.path(), 1, message));
        }
        Ok(())
    }
}

/// A file, entry by entry.
struct Entries {
    lines: Lines,
    header: Header,
    /// Entries that were read.
    found: u32,
}

impl Entries {
    fn begin(source: Source, vocabulary: usize) -> Result<Self, Error> {
        let mut lines = Lines::new(source);
        let header = Header::read(&mut lines, vocabulary)?;
        Ok(Self { lines, header, found: 0 })
    }

    fn next(&mut self) -> Result<Option<Entry>, Error> {
        let announced = self.header.entries;
        if !self.lines.advance_to_filled()? {
            if self.found == announced {
                return Ok(None);
            }
            return Err(self.lines.ends_early(self.found as usize, announced));
        }
        let entry = self.entry()?;
        if self.found == announced {
            return Err(self.lines.one_too_many(announced));
        }
        self.found += 1;
        Ok(Some(entry))
    }

    /// The entry of a line.
    fn entry(&self) -> Result<Entry, Error> {
        let refused = |message: String| self.lines.error(message);
        let index = |what: &str, text: &str, last: u32| match whole(what, text).map_err(refused)? {
            0 => {
                let error = self.lines.error(format!("{what} 0: numbers start at 1"));
                Err(error.with_hint("the UCI format counts from 1 (LDA-C counts from 0)"))
            }
            number if number <= last => Ok(number),
            number => Err(refused(format!("{what} {number}, but the header announces {last}"))),
        };
        let [document, word, count] = entry_fields(self.lines.line()).map_err(refused)?;
        Ok(Entry {
            document: index("document", document, self.header.documents)?,
            word: index("word", word, self.header.words)?,
            count: whole("count", count).map_err(refused)?,
        })
    }
}

/// Words from 0, and counts.
type Row = Vec<(u32, u32)>;

/// The rows of a file whose entries are in the order of their documents, one at a time.
pub(super) struct Rows {
    entries: Entries,
    /// Documents that were given out.
    documents: u32,
    /// The first entry of the next document.
    ahead: Option<Entry>,
}

impl Rows {
    pub(super) fn new(source: Source, vocabulary: usize) -> Result<Self, Error> {
        let mut entries = Entries::begin(source, vocabulary)?;
        // Refused before the first of too many empty documents is given out.
        entries.header.check_documents(&entries.lines, entries.header.entries as usize)?;
        let ahead = entries.next()?;
        Ok(Self { entries, documents: 0, ahead })
    }

    /// The words, from 0, and counts of the next document; `None` after the last.
    pub(super) fn next_row(&mut self) -> Result<Option<Row>, Error> {
        if self.documents == self.entries.header.documents {
            return Ok(None);
        }
        self.documents += 1;
        let mut row = Vec::new();
        while let Some(entry) = self.ahead.take_if(|entry| entry.document == self.documents) {
            row.push((entry.word - 1, entry.count));
            self.ahead = self.entries.next()?;
        }
        match &self.ahead {
            Some(entry) if entry.document < self.documents => {
                let (found, after) = (entry.document, self.documents);
                let error = self.entries.lines.error(format!("document {found} after document {after}"));
                Err(error.with_hint("sort the entries by document, or read the whole corpus into memory"))
            }
            _ => Ok(Some(row)),
        }
    }
}
