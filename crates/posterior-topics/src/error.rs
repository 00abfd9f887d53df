//! The one error type of this crate.

use std::path::PathBuf;

/// What can go wrong with a corpus, a topic model or a file of either.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file has the wrong contents at a known place.
    #[error("{path}:{line}: {message}", path = path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there, and what was expected.
        message: String,
    },
    /// The corpus itself cannot be used.
    #[error("{0}")]
    Corpus(String),
    /// A parameter of a model or a fit is out of its range.
    #[error(transparent)]
    Param(#[from] posterior_math::ParamError),
}
