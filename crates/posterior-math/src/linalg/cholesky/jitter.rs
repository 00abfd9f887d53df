//! A factor of a matrix that rounding has made indefinite: what was added to the diagonal is returned.

use nalgebra::DMatrix;

use super::Cholesky;
use crate::linalg::error::MatrixError;

impl Cholesky {
    /// The factor of A + δ I, and δ: zero if A has a factor; otherwise the first of ε m, 10 ε m, 100 ε m, ..
    /// that gives one, where m is the mean of the diagonal. `cap` is the largest δ that may be added.
    ///
    /// Nothing is added silently: look at δ, which is part of the model from then on.
    ///
    /// # Errors
    /// As [`Cholesky::new`], with the pivot of the last attempt, if no δ ≤ `cap` suffices.
    ///
    /// ```
    /// use posterior_math::linalg::{Cholesky, DMatrix};
    ///
    /// let singular = DMatrix::from_element(3, 3, 1.0);
    /// assert!(Cholesky::new(&singular).is_err());
    /// let (factor, added) = Cholesky::with_jitter(&singular, 1e-10)?;
    /// assert!(added > 0.0 && added < 1e-14);
    /// assert!((factor.reconstruct() - singular).amax() <= 2.0 * added);
    /// # Ok::<(), posterior_math::linalg::MatrixError>(())
    /// ```
    pub fn with_jitter(matrix: &DMatrix<f64>, cap: f64) -> Result<(Self, f64), MatrixError> {
        let mut error = match Self::new(matrix) {
            Ok(factor) => return Ok((factor, 0.0)),
            Err(error @ MatrixError::NotPositiveDefinite { .. }) => error,
            Err(other) => return Err(other),
        };
        let mut jitter = f64::EPSILON * matrix.diagonal().mean();
        while jitter > 0.0 && jitter <= cap && jitter < f64::INFINITY {
            let mut shifted = matrix.clone();
            for i in 0..shifted.nrows() {
                shifted[(i, i)] += jitter;
            }
            match Self::decompose(shifted) {
                Ok(factor) => return Ok((factor, jitter)),
                Err(next) => error = next,
            }
            jitter *= 10.0;
        }
        Err(error)
    }
}
