//! Words between blanks, as numbers.

use posterior_graph::VarId;

use crate::format::source::{Source, probability};
use crate::{Format, ParseError, Variables};

/// A place in a file of words.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    pub(super) source: Source<'a>,
    pub(super) at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut words = Self { source: Source::new(bytes, Format::Uai), at: 0 };
        words.skip();
        words
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.source.bytes[self.at..];
            self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if self.source.bytes.get(self.at) != Some(&b'#') {
                return;
            }
            let rest = &self.source.bytes[self.at..];
            self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        }
    }

    /// The word that stands here; empty at the end of the file.
    pub(super) fn peek(&self) -> &'a [u8] {
        let rest = &self.source.bytes[self.at..];
        &rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())]
    }

    pub(super) fn next(&mut self) -> &'a [u8] {
        let word = self.peek();
        self.at += word.len();
        self.skip();
        word
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == self.source.bytes.len()
    }

    /// The error that something else stands here.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.source.error(self.at, format!("expected {what}, found {}", self.source.found(self.at)))
    }

    fn parse<T>(&mut self, what: &str, read: impl Fn(&[u8]) -> Option<T>) -> Result<T, ParseError> {
        let word = self.peek();
        let value = read(word).ok_or_else(|| self.expected(what))?;
        self.at += word.len();
        self.skip();
        Ok(value)
    }

    /// A whole number.
    pub(super) fn integer(&mut self, what: &str) -> Result<usize, ParseError> {
        self.parse(what, |word| str::from_utf8(word).ok()?.parse().ok())
    }

    /// How many words follow: no more than there is room for.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, ParseError> {
        let at = self.at;
        let count = self.integer(what)?;
        let room = (self.source.bytes.len() - self.at).div_ceil(2);
        if count <= room {
            return Ok(count);
        }
        let message = format!("{what} is {count}, but at most {room} more fit into the file");
        Err(self.source.error(at, message))
    }

    /// A whole number below `limit`.
    pub(super) fn below(&mut self, limit: usize, what: &str) -> Result<usize, ParseError> {
        let at = self.at;
        let value = self.integer(what)?;
        if value < limit {
            return Ok(value);
        }
        let message = match limit {
            0 => format!("expected no {what}, found {value}"),
            _ => format!("expected {what} from 0 to {}, found {value}", limit - 1),
        };
        Err(self.source.error(at, message))
    }

    /// A finite number, not negative.
    pub(super) fn weight(&mut self, what: &str) -> Result<f64, ParseError> {
        self.parse(what, probability)
    }

    /// A number that may be negative or infinite.
    pub(super) fn logarithm(&mut self, what: &str) -> Result<f64, ParseError> {
        let read =
            |word: &[u8]| str::from_utf8(word).ok()?.parse().ok().filter(|value: &f64| !value.is_nan());
        self.parse(what, read)
    }

    /// A variable.
    pub(super) fn variable(&mut self, count: usize) -> Result<VarId, ParseError> {
        self.below(count, "a variable").map(VarId::new)
    }

    /// A variable and one of its states.
    pub(super) fn assignment(&mut self, variables: &Variables) -> Result<(VarId, usize), ParseError> {
        let v = self.variable(variables.len())?;
        Ok((v, self.below(variables.card(v), "a state")?))
    }

    /// That nothing follows.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.is_empty() { Ok(()) } else { Err(self.expected("the end of the file")) }
    }
}
