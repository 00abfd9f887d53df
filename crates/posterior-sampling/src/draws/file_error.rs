//! What is wrong with a file of draws.

use crate::Error;

/// What is wrong with a file of draws.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It can't be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Something else stands where it was expected.
    #[error("line {line}{}: expected {expected}, found {found}", in_column(.column.as_deref()))]
    Expected {
        /// The line, counted from 1.
        line: u64,
        /// The name of the column.
        column: Option<String>,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The file ends before there is a draw.
    #[error("no draws: expected {expected}, and the file ends at line {line}")]
    Empty {
        /// The last line, counted from 1; 0 of an empty file.
        line: u64,
        /// What was expected.
        expected: &'static str,
    },
    /// The chains do not go together.
    #[error(transparent)]
    Draws(#[from] Error),
}

fn in_column(column: Option<&str>) -> String {
    column.map_or_else(String::new, |name| format!(", column {name:?}"))
}
