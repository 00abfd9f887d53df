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
        let entry = entry(lines.line(), header).map_err(|Complaint { message, hint }| {
            let error = lines.error(message);
            if hint.is_empty() { error } else { error.with_hint(hint) }
        })?;
        if entries.len() == header.entries as usize {
            return Err(lines.error(format!("one entry more than the {} announced", header.entries)));
        }
        entries.push(entry);
    }
    if entries.len() < header.entries as usize {
        let (found, announced) = (entries.len(), header.entries);
        let error = lines.error(format!("the file ends after {found} of the {announced} entries announced"));
        return Err(error.with_hint("it may be cut off: copy or download it again"));
    }
    Ok(entries)
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
