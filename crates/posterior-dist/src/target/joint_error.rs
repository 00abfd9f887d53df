//! What is wrong with a model that is written by names.

use std::error::Error;
use std::fmt;

use posterior_math::ParamError;

/// What is wrong with how a [`JointModel`](super::JointModel) is written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum JointError {
    /// Two quantities have one name.
    RepeatedName {
        /// The name.
        name: String,
    },
    /// No point satisfies a constraint.
    Constraint {
        /// The unknown.
        name: String,
        /// What the constraint must be.
        error: ParamError,
    },
    /// A run asked for other unknowns than the first one.
    Changed,
}

impl fmt::Display for JointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RepeatedName { name } => write!(f, "`{name}` is the name of two quantities"),
            Self::Constraint { name, error } => write!(f, "unknown `{name}`: {error}"),
            Self::Changed => write!(f, "the model asked for other unknowns than in its first run"),
        }
    }
}

impl Error for JointError {}
