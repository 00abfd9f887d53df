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
    /// A pivot is zero, infinite or NaN where any sign is allowed.
    ZeroPivot {
        /// The index of the first such pivot, from 0.
        pivot: usize,
        /// Its value.
        value: f64,
    },
    /// The matrix, or the equation, has no unique solution.
    Singular,
    /// The iteration did not converge.
    NoConvergence,
    /// An index of an entry, or a size, is too large.
    OutOfRange {
        /// The index that was found.
        index: usize,
        /// What it has to be below.
        size: usize,
    },
    /// A sparse matrix has stored entries in other places than the one that was analysed.
    OtherPattern,
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
            Self::ZeroPivot { value, .. } => {
                (value, "without pivots that are zero (the value is that of a pivot)")
            }
            Self::NotSquare { .. } => (f64::NAN, "square"),
            Self::Mismatch { .. } => (f64::NAN, "of a size that agrees with the other parameters"),
            Self::NotFinite => (f64::NAN, "finite"),
            Self::Singular => (f64::NAN, "regular"),
            Self::OutOfRange { index, .. } => (index as f64, "of entries with smaller indices"),
            Self::OtherPattern => (f64::NAN, "of the pattern that was analysed"),
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
            Self::ZeroPivot { pivot, value } => {
                write!(f, "no elimination in this order: pivot {pivot} is {value}")
            }
            Self::Singular => write!(f, "singular"),
            Self::OutOfRange { index, size } => write!(f, "index {index} is not below {size}"),
            Self::OtherPattern => {
                write!(f, "entries are stored where the analysed pattern has none, or the reverse")
            }
            Self::NoConvergence => write!(f, "the iteration did not converge"),
        }
    }
}

impl Error for MatrixError {}
