//! What is wrong with a file, and where.

use std::fmt;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// The interchange format of Bayesian networks.
    Bif,
    /// The same as XML.
    XmlBif,
    /// The format of Hugin.
    Net,
    /// The format of the inference competitions.
    Uai,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bif => "BIF",
            Self::XmlBif => "XMLBIF",
            Self::Net => "NET",
            Self::Uai => "UAI",
        })
    }
}

/// Why a file was refused: where, what was expected and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The format that the file was read as.
    pub format: Format,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1; a tab is one character.
    pub column: usize,
    /// What was expected, and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, line, column, message } = self;
        write!(f, "{format}, line {line}, column {column}: {message}")
    }
}

impl std::error::Error for ParseError {}
