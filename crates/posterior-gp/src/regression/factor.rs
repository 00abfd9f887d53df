//! The factor of G = K + noise, with the least jitter that is needed, and a word about why.

use std::fmt;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};

/// Jitter may grow to this part of the largest prior variance, times the number of rows: what is more is no
/// rounding.
const LARGEST: f64 = 1e4 * f64::EPSILON;

/// What was added to the noise variance of every observation, so that the covariance of the outputs has a
/// factor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Jitter {
    /// The variance that was added.
    pub variance: f64,
    /// Why.
    pub cause: JitterCause,
}

/// Why the covariance of the outputs was singular in floating-point numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JitterCause {
    /// Two observations of the same place without noise.
    EqualInputs {
        /// The row of the first.
        first: usize,
        /// The row of the second.
        second: usize,
    },
    /// The noise is below what rounding leaves of the kernel: the function varies too slowly for inputs this
    /// close, or its amplitude is too large.
    BelowRounding,
}

impl fmt::Display for JitterCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EqualInputs { first, second } => {
                write!(f, "rows {first} and {second}, counted from 0, have the same inputs and no noise")
            }
            Self::BelowRounding => f.write_str(
                "the noise is below rounding: the kernel is so smooth, or its variance so large, that its matrix is singular",
            ),
        }
    }
}

/// The factor of a positive semidefinite matrix, and the jitter that it takes: `start`, or ten times as much
/// as long as that does not help, from ε m on, with m the largest entry of the diagonal.
///
/// `build` makes the matrix with a jitter, anew for each attempt, so that there is never a second one. A
/// factor helps if its pivots are more than rounding.
pub(super) fn factor_with_least_jitter(
    start: f64,
    build: impl Fn(f64) -> DMatrix<f64>,
) -> Result<(Cholesky, f64), MatrixError> {
    let mut jitter = start;
    loop {
        let matrix = build(jitter);
        let diagonal = matrix.diagonal();
        if !diagonal.iter().all(|entry| entry.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        let error = match Cholesky::decompose(matrix).and_then(|factor| beyond_rounding(factor, &diagonal)) {
            Ok(factor) => return Ok((factor, jitter)),
            Err(error) => error,
        };
        let largest = diagonal.amax();
        jitter = (10.0 * jitter).max(f64::EPSILON * largest);
        if !(jitter > 0.0 && jitter <= LARGEST * diagonal.len() as f64 * largest) {
            return Err(error);
        }
    }
}

/// The factor, if every pivot is more than rounding leaves of the entry that it came from.
pub(super) fn beyond_rounding(factor: Cholesky, diagonal: &DVector<f64>) -> Result<Cholesky, MatrixError> {
    let pivots = factor.factor().diagonal().map(|root| root * root);
    let drowned = |(pivot, entry): (&f64, &f64)| *pivot < 4.0 * f64::EPSILON * entry;
    match pivots.iter().zip(diagonal).position(drowned) {
        Some(pivot) => Err(MatrixError::NotPositiveDefinite { pivot, value: pivots[pivot] }),
        None => Ok(factor),
    }
}
