//! Why data or a model were refused.

use posterior_dist::target::EvalError;
use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why data or a model were refused.
///
/// Not errors: fits that have not converged, empty clusters, and covariances held at their floor; all are in
/// the reports.
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
    #[error("observation {row}, coordinate {column} is {value}: it must be finite{hint}")]
    NotFinite {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// The value.
        value: f64,
        /// What else can be done, with its punctuation; may be empty.
        hint: &'static str,
    },
    /// Fewer observations than the model needs.
    #[error("{found} distinct observations: {needed} are needed for {what}")]
    TooFew {
        /// What they are needed for.
        what: &'static str,
        /// How many.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// An observation that no component can hold: its density is zero, infinite or NaN in all of them.
    #[error("observation {observation} has no density in any component: zero, infinite or NaN")]
    NoBlock {
        /// The observation, counted from 0.
        observation: usize,
    },
    /// A sampler, or its draws, that can't be.
    #[error(transparent)]
    Sampling(#[from] posterior_sampling::Error),
    /// A density that could not be evaluated.
    #[error(transparent)]
    Density(#[from] EvalError),
}
