//! The factor of G = K + noise, with the least jitter that is needed, and a word about why.

use posterior_math::linalg::{Cholesky, DMatrix, MatrixError};

/// Jitter may grow to this part of the largest prior variance, times the number of rows: what is more is no rounding.
const LARGEST: f64 = 1e4 * f64::EPSILON;

/// What was added to the noise variance of every observation, so that the covariance of the outputs has a factor.
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
    /// The noise is below what rounding leaves of the kernel: the function varies too slowly for inputs this close, or
    /// its amplitude is too large.
    BelowRounding,
}

/// The factor of a positive semidefinite matrix, and the variance that was added to its diagonal: none, or the first of
/// ε m, 10 ε m, … that helps, with m the largest entry of the diagonal. The matrix is built anew for each attempt, so that
/// there is never a second one.
pub(super) fn factor_with_least_jitter(
    build: impl Fn() -> DMatrix<f64>,
) -> Result<(Cholesky, f64), MatrixError> {
    let matrix = build();
    let (largest, rows) = (matrix.diagonal().amax(), matrix.nrows());
    if !matrix.diagonal().iter().all(|entry| entry.is_finite()) {
        return Err(MatrixError::NotFinite);
    }
    let mut error = match Cholesky::decompose(matrix) {
        Ok(factor) => return Ok((factor, 0.0)),
        Err(error) => error,
    };
    let mut jitter = f64::EPSILON * largest;
    while jitter > 0.0 && jitter <= LARGEST * rows as f64 * largest {
        let mut matrix = build();
        for i in 0..rows {
            matrix[(i, i)] += jitter;
        }
        match Cholesky::decompose(matrix) {
            Ok(factor) => return Ok((factor, jitter)),
            Err(next) => error = next,
        }
        jitter *= 10.0;
    }
    Err(error)
}
