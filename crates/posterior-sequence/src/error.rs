//! Why data or a model were refused.

use posterior_math::check::{DimensionError, ParamError};

/// The reason for which data or a model were refused.
///
/// Not errors: fits that have not converged and states that nobody visits; both are in the reports.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that can't be.
    #[error(transparent)]
    Parameter(#[from] ParamError),
    /// Mismatched dimensions.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// An observation that is none of the model's.
    #[error("sequence {sequence}, position {position}: {message}")]
    Observation {
        /// The sequence, counted from 0.
        sequence: usize,
        /// The position, counted from 0.
        position: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A sequence that cannot have happened.
    #[error(
        "sequence {sequence} is impossible: no path of states explains what is seen up to position {position}"
    )]
    Impossible {
        /// The sequence, counted from 0.
        sequence: usize,
        /// The first position, counted from 0, at which no path is left.
        position: usize,
    },
    /// A table that would take too much memory.
    #[error("{what}: {needed} are needed, and {most} is the limit")]
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there may be.
        most: usize,
        /// How many there would be, or as many as can be counted.
        needed: usize,
    },
    /// A context of which nothing can be said, because nothing ever followed it.
    #[error(
        "nothing follows {context:?} in any sequence, so that the likelihood does not speak of it: take a prior"
    )]
    Unseen {
        /// Its symbols, the oldest first.
        context: Vec<usize>,
    },
    /// A label that a scheme of labels does not have.
    #[error("label {label:?}: {message}")]
    Label {
        /// Its name.
        label: String,
        /// What was expected.
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
    /// A line of a file that can't be read.
    #[error("line {line}: {message}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The file of a model that can't be read.
    #[error("not a model that can be read: {message}")]
    ModelFile {
        /// What is wrong with it.
        message: String,
    },
    /// Mixtures and observations that can't be.
    #[error(transparent)]
    Latent(#[from] posterior_latent::Error),
    /// Texts and their symbols.
    #[error(transparent)]
    Text(#[from] posterior_text::Error),
    /// A sampler, or its draws, that can't be.
    #[error(transparent)]
    Sampling(#[from] posterior_sampling::Error),
}

impl Error {
    /// The same error, of this sequence of several, counted from 0; an error that is of no sequence as it is.
    #[must_use]
    pub fn of_sequence(self, sequence: usize) -> Self {
        match self {
            Self::Observation { position, message, .. } => Self::Observation { sequence, position, message },
            Self::Impossible { position, .. } => Self::Impossible { sequence, position },
            other => other,
        }
    }
}
