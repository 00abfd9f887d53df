//! The one error type of this crate.

use std::io;
use std::path::{Path, PathBuf};

use posterior_math::check::DimensionError;

/// An error of a text, a corpus, a model of either, or their files.
///
/// The message is one line that names the file and the line; [`hint`](Self::hint) says what to try.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
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
    /// A file or folder has the wrong contents as a whole.
    #[error("{path}: {message}", path = path.display())]
    Contents {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it, and what was expected.
        message: String,
    },
    /// The corpus itself cannot be used.
    #[error("{0}")]
    Corpus(String),
    /// Mismatched dimensions.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// A number beyond the last of its kind.
    #[error("{what} {index} of {count}, counted from 0")]
    Index {
        /// What is numbered.
        what: &'static str,
        /// The number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A parameter of a model or a fit is out of its range.
    #[error(transparent)]
    Parameter(#[from] posterior_math::ParamError),
    /// A line of a text that is not what was expected.
    #[error("line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A symbol that the model does not have.
    #[error("sequence {sequence}, position {position}: {message}")]
    Observation {
        /// The sequence, counted from 0.
        sequence: usize,
        /// The position, counted from 0.
        position: usize,
        /// What is wrong with it.
        message: String,
    },
    /// No data where some are needed.
    #[error("{what} needs {needed}")]
    TooFew {
        /// Who needs them.
        what: &'static str,
        /// What is needed.
        needed: &'static str,
    },
    /// A model of another crate refused.
    #[error("{0}")]
    Model(Box<dyn std::error::Error + Send + Sync>),
    /// One of the others, with advice.
    #[error("{error}")]
    Hinted {
        /// What went wrong.
        #[source]
        error: Box<Self>,
        /// What to try.
        hint: String,
    },
}

impl Error {
    /// Whether the operating system refused to read or write a file, or compressed data could not be
    /// unpacked.
    pub fn is_io(&self) -> bool {
        matches!(self.cause(), Self::Io { .. })
    }

    /// Whether a corpus takes more memory than its reader was allowed.
    pub fn is_memory(&self) -> bool {
        matches!(self.cause(), Self::Io { source, .. } if source.kind() == io::ErrorKind::OutOfMemory)
    }

    /// Whether a file was read but does not have the contents that were expected.
    pub fn is_parse(&self) -> bool {
        matches!(self.cause(), Self::Parse { .. } | Self::Contents { .. } | Self::Line { .. })
    }

    /// Whether the contents were understood, but make no corpus that a model can use.
    pub fn is_corpus(&self) -> bool {
        matches!(self.cause(), Self::Corpus(_))
    }

    /// Whether sizes do not go together, or a number is that of nothing there is.
    pub fn is_dimension(&self) -> bool {
        matches!(self.cause(), Self::Dimension(_) | Self::Index { .. })
    }

    /// Whether a parameter is out of its range.
    pub fn is_parameter(&self) -> bool {
        matches!(self.cause(), Self::Parameter(_))
    }

    /// The line of the file at which it went wrong, from 1, where that is known.
    pub fn line(&self) -> Option<usize> {
        match self.cause() {
            Self::Parse { line, .. } | Self::Line { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// Something to try, where there is anything.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Hinted { hint, .. } => Some(hint),
            _ => None,
        }
    }

    /// The same error with advice on what to try.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self::Hinted { error: Box::new(self), hint: hint.into() }
    }

    /// The error under its hints.
    fn cause(&self) -> &Self {
        match self {
            Self::Hinted { error, .. } => error.cause(),
            other => other,
        }
    }

    /// The operating system refused `path`, with advice where there is some.
    pub fn io(path: &Path, source: io::Error) -> Self {
        let kind = source.kind();
        let error = Self::Io { path: path.to_owned(), source };
        match kind {
            io::ErrorKind::NotFound => {
                error.with_hint("check the spelling; a relative path starts at the current folder")
            }
            io::ErrorKind::PermissionDenied => error.with_hint("ask its owner for the permission to read it"),
            io::ErrorKind::OutOfMemory => error.with_hint("take fewer documents, or allow more memory"),
            _ => error,
        }
    }

    /// Line `line` of `path` is not what was expected.
    pub fn parse(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self::Parse { path: path.to_owned(), line, message: message.into() }
    }

    /// `path` as a whole is not what was expected.
    pub fn contents(path: &Path, message: impl Into<String>) -> Self {
        Self::Contents { path: path.to_owned(), message: message.into() }
    }

    /// The same error about a corpus, now with the file that the corpus is from.
    #[cfg(feature = "corpora")]
    pub(crate) fn in_file(self, path: &Path) -> Self {
        match self {
            Self::Corpus(message) => Self::Corpus(format!("{}: {message}", path.display())),
            Self::Hinted { error, hint } => error.in_file(path).with_hint(hint),
            other => other,
        }
    }
}
