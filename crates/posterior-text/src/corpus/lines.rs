//! Text line by line, with the line's number kept for messages.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use super::open::{Source, not_utf8};
use crate::Error;

/// The lines of a source, without line ends (LF or CRLF).
pub(super) struct Lines {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    /// The current line with its end, and its length without.
    text: String,
    length: usize,
    number: usize,
    /// Bytes of the file before the current line.
    offset: usize,
}

impl Lines {
    pub(super) fn new(source: Source) -> Self {
        let (reader, path, offset) = source.into_parts();
        Self { reader, path, text: String::new(), length: 0, number: 0, offset }
    }

    /// Goes to the next line: whether there is one.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        self.offset += self.text.len();
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let read = self.reader.read_until(b'\n', &mut bytes);
        if read.map_err(|source| Error::io(&self.path, source))? == 0 {
            self.length = 0;
            return Ok(false);
        }
        self.number += 1;
        let end = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let end = end.strip_suffix(b"\r").unwrap_or(end).len();
        self.length = end;
        self.text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            not_utf8(&self.path, self.number, self.offset + valid, &error.as_bytes()[valid..])
        })?;
        Ok(true)
    }

    /// Goes to the next line that is not blank: whether there is one.
    pub(super) fn advance_to_filled(&mut self) -> Result<bool, Error> {
        while self.advance()? {
            if !self.line().trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes to the next line, where a line is an item and blank ones are allowed at the end only.
    pub(super) fn advance_item(&mut self, expected: &str) -> Result<bool, Error> {
        if !self.advance()? {
            return Ok(false);
        }
        if !self.line().trim().is_empty() {
            return Ok(true);
        }
        let blank = self.number;
        if self.advance_to_filled()? {
            return Err(Error::parse(&self.path, blank, format!("expected {expected}, found a blank line")));
        }
        Ok(false)
    }

    /// The current line; empty before the first and after the last.
    pub(super) fn line(&self) -> &str {
        &self.text[..self.length]
    }

    /// The number of the current line, from 1; after the last, the number of lines.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The name of the source.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The error that the current line is not what was expected.
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        Error::parse(&self.path, self.number.max(1), message)
    }

    /// An entry that is one more than the file announces.
    pub(super) fn one_too_many(&self, announced: u32) -> Error {
        self.error(format!("one entry more than the {announced} announced"))
    }

    /// Fewer entries than the file announces.
    pub(super) fn ends_early(&self, found: usize, announced: u32) -> Error {
        let error = self.error(format!("the file ends after {found} of the {announced} entries announced"));
        error.with_hint("it may be cut off: copy or download it again")
    }

    /// The error that the source as a whole is not what was expected.
    pub(super) fn contents_error(&self, message: impl Into<String>) -> Error {
        Error::contents(&self.path, message)
    }
}
