//! Division from the right.

use nalgebra::DMatrix;

use super::cholesky::Cholesky;
use super::error::MatrixError;
use super::lu::Lu;

/// Y A⁻¹ for a regular square matrix A, by elimination with partial pivoting of Aᵀ Xᵀ = Yᵀ.
///
/// 2 n³/3 operations, and 2 n² for each row of Y. For a positive definite A, [`Cholesky::divide_right`] takes
/// half.
///
/// # Errors
/// Not square, of a size that does not agree with the columns of Y, singular, or with entries that are not
/// finite.
///
/// ```
/// use posterior_math::linalg::{DMatrix, divide_right};
///
/// let a = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 0.0, 1.0]);
/// let x = divide_right(&DMatrix::from_row_slice(1, 2, &[1.0, 4.0]), &a)?;
/// assert_eq!(x.as_slice(), [1.0, 2.0]);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn divide_right(y: &DMatrix<f64>, a: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let (rows, columns) = a.shape();
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    if y.ncols() != rows {
        return Err(MatrixError::Mismatch { expected: rows, found: y.ncols() });
    }
    if !a.iter().chain(y.iter()).all(|entry| entry.is_finite()) {
        return Err(MatrixError::NotFinite);
    }
    let lu = Lu::new(a.transpose()).ok_or(MatrixError::Singular)?;
    let mut x = y.transpose();
    lu.solve_in_place(&mut x);
    Ok(x.transpose())
}

impl Cholesky {
    /// Y A⁻¹.
    ///
    /// # Panics
    /// Unless Y has as many columns as A has rows.
    #[track_caller]
    pub fn divide_right(&self, y: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = y.transpose();
        self.solve_in_place(&mut x);
        x.transpose()
    }
}
