//! From bytes to names, keywords and numbers: of BIF and of NET, which differ in their comments.

use super::source::{Source, probability};
use crate::{Format, ParseError};

/// A place in a file, with what can be read from there.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    pub(super) source: Source<'a>,
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.source.bytes.get(self.at).copied()
    }

    /// Whether a comment begins here.
    fn at_comment(&self, at: usize) -> bool {
        match self.source.format {
            Format::Net => self.source.bytes.get(at) == Some(&b'%'),
            _ => matches!(self.source.bytes.get(at..at + 2), Some(b"//" | b"/*")),
        }
    }

    /// Passes over blanks and comments.
    pub(super) fn skip(&mut self) -> Result<(), ParseError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c) => self.at += 1,
                Some(b'/' | b'%') if self.at_comment(self.at) => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Passes over blanks, comments and commas.
    pub(super) fn skip_commas(&mut self) -> Result<(), ParseError> {
        loop {
            self.skip()?;
            if self.peek() != Some(b',') {
                return Ok(());
            }
            self.at += 1;
        }
    }

    fn comment(&mut self) -> Result<(), ParseError> {
        let rest = &self.source.bytes[self.at..];
        let len = if rest.starts_with(b"/*") {
            rest[2..].windows(2).position(|pair| pair == b"*/").map(|end| end + 4)
        } else {
            Some(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()))
        };
        let Some(len) = len else {
            return Err(self.source.error(self.at, "the comment that begins here has no end"));
        };
        self.at += len;
        Ok(())
    }

    /// Passes over this mark.
    pub(super) fn mark(&mut self, mark: u8, context: &str) -> Result<(), ParseError> {
        self.skip()?;
        if self.peek() == Some(mark) {
            self.at += 1;
            return Ok(());
        }
        Err(self.expected(&format!("`{}` {context}", char::from(mark))))
    }

    /// Passes over this mark, if it stands here.
    pub(super) fn accept(&mut self, mark: u8) -> Result<bool, ParseError> {
        self.skip()?;
        let there = self.peek() == Some(mark);
        self.at += usize::from(there);
        Ok(there)
    }

    /// The error that something else stands here.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.source.error(self.at, format!("expected {what}, found {}", self.source.found(self.at)))
    }

    /// The letters that stand here.
    pub(super) fn keyword(&mut self) -> Result<&'a [u8], ParseError> {
        self.skip()?;
        let rest = &self.source.bytes[self.at..];
        let len = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        self.at += len;
        Ok(&rest[..len])
    }

    /// A name, its bytes checked to be text, and its place.
    pub(super) fn name(&mut self, what: &str) -> Result<(&'a str, usize), ParseError> {
        let (start, end) = self.raw_name(what)?;
        Ok((self.source.text(start, end)?, start))
    }

    /// Where a name begins and ends, without its quotes.
    pub(super) fn raw_name(&mut self, what: &str) -> Result<(usize, usize), ParseError> {
        self.skip()?;
        let start = self.at;
        if self.peek() == Some(b'"') {
            let rest = &self.source.bytes[start + 1..];
            let Some(len) = rest.iter().position(|&byte| byte == b'"') else {
                return Err(self.source.error(start, "the quote that begins here has no end"));
            };
            self.at = start + len + 2;
            return Ok((start + 1, start + 1 + len));
        }
        self.at = self.word_end(start);
        if self.at == start { Err(self.expected(what)) } else { Ok((start, self.at)) }
    }

    /// Where the word that begins here ends: parentheses in it come in pairs.
    fn word_end(&self, start: usize) -> usize {
        let mut depth = 0usize;
        let mut at = start;
        while let Some(&byte) = self.source.bytes.get(at) {
            match byte {
                0..=b' ' | b'{' | b'}' | b'[' | b']' | b';' | b',' | b'|' | b'"' => break,
                b'=' | b'(' | b')' | b'%' if self.source.format == Format::Net => break,
                b'(' if at == start => break,
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b'/' if self.at_comment(at) => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// A probability.
    pub(super) fn number(&mut self) -> Result<f64, ParseError> {
        let rest = &self.source.bytes[self.at..];
        let is_part =
            |byte: &&u8| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'a'..=b'z' | b'A'..=b'Z' | b'_');
        let len = rest.iter().take_while(is_part).count();
        let value = probability(&rest[..len]).ok_or_else(|| self.expected("a probability"))?;
        self.at += len;
        Ok(value)
    }
}
