//! What goes wrong when a program runs, with the place in its text.

use std::fmt;

use posterior_stan::position;

/// An error of a run, before its place is turned into a line.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) message: String,
    /// Where the statement or expression begins, in bytes; none yet of a library's function.
    pub(crate) place: Option<u32>,
    /// Whether the run ends, or the point only is refused.
    pub(crate) fatal: bool,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, fatal: true }
    }

    pub(crate) fn reject(message: impl Into<String>) -> Self {
        Self { fatal: false, ..Self::new(message) }
    }

    pub(crate) fn at(mut self, place: u32) -> Self {
        self.place.get_or_insert(place);
        self
    }

    pub(crate) fn error(self, text: &str) -> ModelError {
        let place = self.place.map(|place| {
            let at = position(text, place);
            let line = text.lines().nth(at.line - 1).unwrap_or("").to_owned();
            (at.line, at.column, line)
        });
        ModelError { message: self.message, place }
    }
}

/// Why a program does not run with its data: what, and on which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    message: String,
    place: Option<(usize, usize, String)>,
}

impl ModelError {
    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }

    /// The line of the program, from 1, where it is known.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.0)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((line, column, text)) => {
                write!(f, "line {line}, column {column}: {}\n  {}", self.message, text.trim())
            }
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ModelError {}
