//! Lines of a file, with their numbers.

use std::io::BufRead;

use crate::error::Error;

/// What a file may begin with, and no line has.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Lines of UTF-8 without their ends, one at a time.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// The number of the line that was read last, from 1.
    number: usize,
    /// Whether something was refused: nothing is read after it.
    refused: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), number: 0, refused: false }
    }

    /// The number of the line that was read last.
    pub(super) const fn number(&self) -> usize {
        self.number
    }

    /// The next item of a reader of these lines, which ends after the first that is refused.
    pub(super) fn item<T>(&mut self, read: Result<Option<T>, Error>) -> Option<Result<T, Error>> {
        self.refused |= read.is_err();
        read.transpose()
    }

    /// The next line, `None` at the end of the file, and after what was refused.
    pub(super) fn read(&mut self) -> Result<Option<&str>, Error> {
        if self.refused {
            return Ok(None);
        }
        self.buffer.clear();
        let line = self.number + 1;
        let read = self
            .source
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| Error::Line { line, message: format!("cannot be read: {error}") })?;
        if read == 0 {
            return Ok(None);
        }
        self.number = line;
        let mut bytes = self.buffer.as_slice();
        if line == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK.encode_utf8(&mut [0; 3]).as_bytes()).unwrap_or(bytes);
        }
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => {
                let message = format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1);
                Err(Error::Line { line, message })
            }
        }
    }
}
