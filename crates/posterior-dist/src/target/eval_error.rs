//! Why a log-density has no value at a point.

use std::error::Error;
use std::fmt;

/// Why a log-density has no value at a point, and what a sampler is to do about it.
#[derive(Debug)]
#[non_exhaustive]
pub enum EvalError {
    /// The point is to be refused, as if the density were zero there: a matrix that is not positive definite,
    /// a solver that does not converge for these parameters.
    Reject(Box<dyn Error + Send + Sync>),
    /// The run is to be ended: no other point will do better, as when a file is gone.
    Fatal(Box<dyn Error + Send + Sync>),
}

impl EvalError {
    /// The point is to be refused.
    pub fn reject(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Reject(why.into())
    }

    /// The run is to be ended.
    pub fn fatal(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Fatal(why.into())
    }

    /// Whether the run is to be ended.
    pub const fn is_fatal(&self) -> bool {
        matches!(self, Self::Fatal(_))
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reject(why) => write!(f, "the log-density has no value at this point: {why}"),
            Self::Fatal(why) => write!(f, "the log-density cannot be evaluated: {why}"),
        }
    }
}

impl Error for EvalError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Reject(why) | Self::Fatal(why) => Some(why.as_ref()),
        }
    }
}
