//! The bytes of a table on their way to the reader of CSV: where its records begin, and what no reader should
//! go on with.

use std::collections::VecDeque;
use std::io::{self, Read};

use posterior_math::memory::size_text;

use crate::error::Error;
use crate::input::Input;
use crate::memory::MemoryLimit;

/// The most fields of a line: they are looked at one by one, and each takes more memory than it has bytes.
const MOST_FIELDS: usize = 1 << 20;

/// Where in a record a byte is, as the reader of CSV sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    FieldStart,
    Field,
    Quoted,
    /// After a quote inside of quotes: their end, or the first of two.
    Closing,
}

/// An input whose records are counted as they go by.
pub(crate) struct Watched {
    input: Input,
    delimiter: u8,
    /// None where quotes are letters.
    quote: Option<u8>,
    state: State,
    line: u64,
    after_return: bool,
    /// The line of the quote that is open.
    quoted_at: u64,
    fields: usize,
    /// Bytes of the record so far, and how many there may be.
    record: u64,
    most: u64,
    /// The lines at which records begin that were read, and not asked for yet.
    starts: VecDeque<u64>,
    /// Why reading ended.
    trouble: Option<Error>,
}

impl Watched {
    pub(crate) fn new(input: Input, delimiter: u8, quoting: bool, memory: MemoryLimit) -> Self {
        Self {
            input,
            delimiter,
            quote: quoting.then_some(b'"'),
            state: State::Between,
            line: 1,
            after_return: false,
            quoted_at: 0,
            fields: 0,
            record: 0,
            // Held twice: as it is read, and as the text of a cell.
            most: memory.limit() / 2,
            starts: VecDeque::new(),
            trouble: None,
        }
    }

    /// The line at which the next record began.
    pub(crate) fn next_line(&mut self) -> u64 {
        self.starts.pop_front().unwrap_or(self.line)
    }

    /// Why reading ended, if it ended here.
    pub(crate) fn trouble(&mut self) -> Option<Error> {
        self.trouble.take()
    }

    /// How much of the file has been read; none of standard input.
    pub(crate) fn progress(&self) -> Option<f64> {
        self.input.progress()
    }

    fn stop(&mut self, failure: Error) -> io::Error {
        self.trouble = Some(failure);
        io::Error::other("see trouble")
    }

    fn see(&mut self, byte: u8) -> io::Result<()> {
        let ends = byte == b'\n' || byte == b'\r';
        if self.state == State::Between && !ends {
            (self.state, self.fields, self.record) = (State::FieldStart, 1, 0);
            self.starts.push_back(self.line);
        }
        self.record += 1;
        let is_quote = Some(byte) == self.quote;
        self.state = match self.state {
            State::Between => State::Between,
            State::FieldStart if is_quote => {
                self.quoted_at = self.line;
                State::Quoted
            }
            State::Quoted if is_quote => State::Closing,
            State::Quoted => State::Quoted,
            State::Closing if is_quote => State::Quoted,
            State::FieldStart | State::Field | State::Closing if byte == self.delimiter => {
                self.fields += 1;
                State::FieldStart
            }
            State::FieldStart | State::Field | State::Closing if ends => State::Between,
            State::FieldStart | State::Field | State::Closing => State::Field,
        };
        // Two bytes of one line end are one.
        if byte == b'\r' || byte == b'\n' && !self.after_return {
            self.line += 1;
        }
        self.after_return = byte == b'\r';
        if self.fields > MOST_FIELDS || self.record > self.most {
            return Err(self.too_much());
        }
        Ok(())
    }

    fn too_much(&mut self) -> io::Error {
        let source = &self.input.source;
        let line = self.starts.back().copied().unwrap_or(self.line);
        let failure = if self.fields > MOST_FIELDS {
            Error::new(format!("{source}: line {line}: more than {MOST_FIELDS} fields"))
        } else {
            let size = size_text(self.most);
            Error::new(format!("{source}: line {line}: a row of more than {size}")).with_hint(format!(
                "is a quote open since line {}? if not, allow more with `memory`",
                self.quoted_at.max(line)
            ))
        };
        self.stop(failure)
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        if read == 0 && self.state == State::Quoted && !buffer.is_empty() {
            let (source, line) = (&self.input.source, self.quoted_at);
            let message = format!("{source}: line {line}: a quote is opened here and never closed");
            let failure = Error::new(message);
            return Err(self.stop(failure.with_hint(
                "close it; a quote that is a letter of its text is written twice, and its text in quotes",
            )));
        }
        for &byte in &buffer[..read] {
            self.see(byte)?;
        }
        Ok(read)
    }
}
