//! The one error type of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong with a corpus, a topic model or a file of either.
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
    /// Things whose sizes do not go together.
    #[error("{what}: expected {expected}, found {found}")]
    Dimension {
        /// What was counted.
        what: &'static str,
        /// What fits.
        expected: usize,
        /// What was there.
        found: usize,
    },
    /// Something that is not there, by its number.
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
    /// Regression with Gaussian processes refused.
    #[cfg(feature = "kernels")]
    #[error(transparent)]
    Curves(#[from] posterior_gp::Error),
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
        matches!(self.cause(), Self::Parse { .. } | Self::Contents { .. })
    }

    /// Whether the contents were understood, but make no corpus that a model can use.
    pub fn is_corpus(&self) -> bool {
        matches!(self.cause(), Self::Corpus(_))
    }

    /// Whether sizes do not go together, or a number is that of nothing there is.
    pub fn is_dimension(&self) -> bool {
        matches!(self.cause(), Self::Dimension { .. } | Self::Index { .. })
    }

    /// Whether a parameter is out of its range.
    pub fn is_parameter(&self) -> bool {
        matches!(self.cause(), Self::Parameter(_))
    }

    /// The line of the file at which it went wrong, from 1, where that is known.
    pub fn line(&self) -> Option<usize> {
        match self.cause() {
            Self::Parse { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// What to try, where there is something.
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

    /// The operating system refused `path`.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
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
    pub(crate) fn parse(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self::Parse { path: path.to_owned(), line, message: message.into() }
    }

    /// `path` as a whole is not what was expected.
    pub(crate) fn contents(path: &Path, message: impl Into<String>) -> Self {
        Self::Contents { path: path.to_owned(), message: message.into() }
    }

    /// The same error about a corpus, now with the file that the corpus is from.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        match self {
            Self::Corpus(message) => Self::Corpus(format!("{}: {message}", path.display())),
            Self::Hinted { error, hint } => error.in_file(path).with_hint(hint),
            other => other,
        }
    }
}

/// Whether two sizes agree.
pub(crate) fn size(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Dimension { what, expected, found }) }
}

/// Whether one of so many has this number, counted from 0.
pub(crate) fn index(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::Index { what, index, count }) }
}

/// Whether each of so many tokens has a topic, one of `count`.
pub(crate) fn topics_of_tokens<T: Copy + Into<u32>>(
    tokens: u64,
    topics: &[T],
    count: usize,
) -> Result<(), Error> {
    size("topics of tokens", tokens as usize, topics.len())?;
    topics.iter().try_for_each(|&topic| index("topic", topic.into() as usize, count))
}

/// Whether each of so many documents has a label, one of `count` of what `what` names.
pub(crate) fn labels_of_documents(
    documents: usize,
    labels: &[usize],
    what: &'static str,
    count: usize,
) -> Result<(), Error> {
    size("labels of documents", documents, labels.len())?;
    labels.iter().try_for_each(|&label| index(what, label, count))
}
