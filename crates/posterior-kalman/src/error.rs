//! Why a model or a series was refused, or a filter ended.

use posterior_math::check::{self, DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why a model or a series was refused, or a filter ended.
///
/// Not errors: fits that have not converged; that is in their reports.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that can't be.
    #[error(transparent)]
    Parameter(#[from] ParamError),
    /// A matrix that an algorithm cannot take.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Things whose sizes do not go together.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// An observation that can't be.
    #[error("observation {component} at time {time} is {value}: it must be finite, or missing")]
    Observation {
        /// The time, counted from 0.
        time: usize,
        /// The component, counted from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// Innovations whose covariance is singular: the model says that something is known exactly, and then it
    /// is observed.
    #[error(
        "at time {time} the observation is a combination of what is known exactly: its covariance is singular; \
         give the observation some noise, or leave out what follows from the rest"
    )]
    Singular {
        /// The time, counted from 0.
        time: usize,
    },
    /// Something about the state that no observation tells.
    #[error(
        "the observations leave part of the diffuse start undetermined: observe more, or say what is known about the state at the \
         first time"
    )]
    Undetermined,
    /// A parameter that the model does not have.
    #[error("there is no parameter {name}: there are {known}")]
    UnknownParameter {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// Weights of draws that say nothing.
    #[error("the draws: {0}")]
    Sampling(String),
    /// Numbers that grew beyond the range of f64.
    #[error("at time {time} the state is beyond the range of f64: does the transition explode?")]
    Overflow {
        /// The time, counted from 0.
        time: usize,
    },
    /// An observation that every state excludes.
    #[error("at time {time} the observation is impossible: every state that is left excludes it")]
    Impossible {
        /// The time, counted from 0.
        time: usize,
    },
    /// A function of the state that has no value where the state is.
    #[error(
        "at time {time} the {what} function is not finite where the state is thought to be; \
         has the filter lost the state, or does the function need another scale?"
    )]
    Undefined {
        /// Which function.
        what: &'static str,
        /// The time, counted from 0.
        time: usize,
    },
}

impl From<posterior_sampling::Error> for Error {
    fn from(error: posterior_sampling::Error) -> Self {
        Self::Sampling(error.to_string())
    }
}

/// Whether a time is not before another.
pub(crate) fn in_order(from: usize, to: usize) -> Result<(), Error> {
    Ok(check::enough("last time (it may not be before the first)", from, to)?)
}
