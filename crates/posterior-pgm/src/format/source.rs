//! The bytes of a file, and the place of a byte as line and column.

use crate::{Format, ParseError};

/// The most bytes of a file that an error quotes.
const QUOTED: usize = 40;

/// The bytes of a file of one format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) format: Format,
}

impl<'a> Source<'a> {
    /// The bytes of a file, of which a byte order mark is no part.
    pub(super) fn new(bytes: &'a [u8], format: Format) -> Self {
        Self { bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), format }
    }

    /// An error at this byte. O(bytes before it): errors are rare.
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> ParseError {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.split(|&byte| byte == b'\n').count();
        // Every byte of a character but its first is 10xxxxxx.
        let column = 1 + before[start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        ParseError { format: self.format, line, column, message: message.into() }
    }

    /// The bytes from `start` to `end` as text.
    pub(super) fn text(&self, start: usize, end: usize) -> Result<&'a str, ParseError> {
        let bytes = &self.bytes[start..end];
        str::from_utf8(bytes).map_err(|error| {
            self.error(start + error.valid_up_to(), "expected text in UTF-8, found other bytes")
        })
    }

    /// What stands at this byte, for an error: the word there, or the end of the file.
    pub(super) fn found(&self, at: usize) -> String {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some(&first) = rest.first() else { return "the end of the file".to_owned() };
        let is_word = |byte: &u8| !byte.is_ascii_whitespace() && !b"{}()[];,|<>".contains(byte);
        let len = if is_word(&first) {
            rest.iter().take(QUOTED).take_while(|byte| is_word(byte)).count()
        } else {
            1
        };
        let more = if len == QUOTED { "…" } else { "" };
        let word = String::from_utf8_lossy(&rest[..len]).replace(char::is_control, "\u{fffd}");
        format!("`{word}{more}`")
    }
}

/// The number that these bytes spell, if it is finite and not negative.
pub(super) fn probability(word: &[u8]) -> Option<f64> {
    let value: f64 = str::from_utf8(word).ok()?.parse().ok()?;
    (value >= 0.0 && value.is_finite()).then_some(value)
}
