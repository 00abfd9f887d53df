//! Why a process was refused.

use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why data or a process were refused.
///
/// Not errors: fits that have not converged, and jitter; both are in the reports.
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
    #[error("{what} of row {row} is {value}: it must be finite")]
    NotFinite {
        /// An input or an output.
        what: &'static str,
        /// The row, counted from 0.
        row: usize,
        /// The value.
        value: f64,
    },
    /// An input outside of the domain of a kernel.
    #[error("input of row {row} is {value}: it must be {requirement}")]
    Domain {
        /// The row, counted from 0.
        row: usize,
        /// The value.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// A problem that would take too much memory or time, before any of it was taken.
    #[error(
        "a dense matrix of {rows} observations needs {gigabytes:.1} GB and about {operations:.0e} operations: {advice}"
    )]
    TooLarge {
        /// How many observations.
        rows: usize,
        /// The memory that it would take.
        gigabytes: f64,
        /// The operations of one evidence with its gradient.
        operations: f64,
        /// What else can be done.
        advice: &'static str,
    },
    /// A kernel that is not that of a Gauss-Markov process.
    #[error("{kernel} is not Markov: {reason}")]
    NotMarkov {
        /// The part that is not.
        kernel: String,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// A kernel whose derivative in its inputs is not known.
    #[error(
        "the derivative of {kernel} in its inputs is not known: choose inducing inputs instead of fitting them"
    )]
    NoInputSlope {
        /// The kernel.
        kernel: String,
    },
    /// A thing that belongs to another posterior.
    #[error("the {what} belongs to another posterior")]
    Foreign {
        /// What it is.
        what: &'static str,
    },
    /// A parameter that the model does not have.
    #[error("there is no parameter {name}: there are {known}")]
    UnknownParameter {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A parameter that needs a prior and has none.
    #[error("the parameter {name} has no prior")]
    NoPrior {
        /// Its name.
        name: String,
    },
    /// Parameters of which none that were tried make a model of the data.
    #[error("none of the parameters that were tried make a model of the data")]
    NoModel,
    /// A state-space model refused.
    #[error(transparent)]
    StateSpace(#[from] posterior_kalman::Error),
}
