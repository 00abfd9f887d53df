//! Why a matrix was refused.

use std::error::Error;
use std::fmt;

use crate::check::ParamError;

/// A matrix that an algorithm cannot take.
///
/// The message reads `not positive definite: pivot 3 is -0.25`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MatrixError {
    /// The matrix is not square.
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// Two sizes that have to agree do not.
    Mismatch {
        /// The size that was needed.
        expected: usize,
        /// The size that was found.
        found: usize,
    },
    /// An entry is infinite or NaN, or the result is beyond the range of f64.
    NotFinite,
    /// Not positive definite: what elimination left on the diagonal is not a positive number.
    NotPositiveDefinite {
        /// The index of the first such pivot, from 0.
        pivot: usize,
        /// Its value: zero, negative, infinite or NaN.
        value: f64,
    },
    /// The matrix, or the equation, has no unique solution.
    Singular,
    /// The iteration did not converge.
    NoConvergence,
}

impl MatrixError {
    /// The same refusal as an error of the constructor of `type_name`, whose `parameter` the matrix is.
    ///
    /// The value is that of the pivot, and NaN for the other reasons.
    pub const fn of_parameter(self, type_name: &'static str, parameter: &'static str) -> ParamError {
        let (value, requirement) = match self {
            Self::NotPositiveDefinite { value, .. } => {
                (value, "positive definite (the value is that of a pivot)")
            }
            Self::NotSquare { .. } => (f64::NAN, "square"),
            Self::Mismatch { .. } => (f64::NAN, "of a size that agrees with the other parameters"),
            Self::NotFinite => (f64::NAN, "finite"),
            Self::Singular => (f64::NAN, "regular"),
            Self::NoConvergence => (f64::NAN, "a matrix for which the iteration converges"),
        };
        ParamError::new(type_name, parameter, value, requirement)
    }
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSquare { rows, columns } => write!(f, "not square: {rows} rows, {columns} columns"),
            Self::Mismatch { expected, found } => {
                write!(f, "sizes do not agree: {found} instead of {expected}")
            }
            Self::NotFinite => write!(f, "not finite"),
            Self::NotPositiveDefinite { pivot, value } => {
                write!(f, "not positive definite: pivot {pivot} is {value}")
            }
            Self::Singular => write!(f, "singular"),
            Self::NoConvergence => write!(f, "the iteration did not converge"),
        }
    }
}

impl Error for MatrixError {}
