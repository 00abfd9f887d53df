//! The Cholesky factor of a symmetric positive definite matrix, and what one computes from it.

mod condition;
pub(super) mod factor;
mod jitter;
mod update;

use nalgebra::{DMatrix, DVector};

use super::dot;
use super::engine;
use super::error::MatrixError;
use super::product::gram_of_rows;
use super::triangular::{
    lower_transpose_vector, lower_vector, solve_lower_in_place, solve_lower_transpose_in_place,
};

/// A symmetric positive definite matrix A = L Lᵀ, held by its lower triangular factor L.
///
/// Only the lower triangle of A is read: the upper one may hold anything, and symmetry is not checked. The
/// empty matrix is legal, with determinant 1.
///
/// # Numerics
/// Backward stable: L Lᵀ is A up to a few n ε |A|, for any condition, and a solution is exact for a matrix
/// that close to A. In the tables of the tests all errors are below 2 ε κ, where κ is the condition after
/// scaling to a unit diagonal: units of measurement do not matter.
///
/// # Cost
/// n³/3 operations for the factor, 2 n² for each right-hand side. Small matrices take a plain loop, large
/// ones the blocks; with the feature `faer` its kernels, to which the feature `rayon` gives, from 512 rows
/// on, the threads of its pool. The bits do not depend on the number of threads, nor on the feature `rayon`,
/// but from 80 rows on the last ones depend on the vector instructions of the machine and on the feature
/// `faer`.
///
/// # References
/// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 4.2.
///
/// ```
/// use posterior_math::linalg::{Cholesky, DMatrix, DVector};
///
/// let a = DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0]);
/// let factor = Cholesky::new(&a)?;
/// assert!((factor.ln_determinant() - 44.6_f64.ln()).abs() < 1e-15);
///
/// let x = factor.solve_vector(&DVector::from_vec(vec![1.0, 2.0, 3.0]));
/// assert!((x[0] - 1.0 / 223.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cholesky {
    factor: DMatrix<f64>,
}

impl Cholesky {
    /// The factor of `matrix`, of which only the lower triangle is read.
    ///
    /// # Errors
    /// Not square; or not positive definite, with the first pivot that is not a positive number (NaN anywhere
    /// in the lower triangle gives such a pivot, and so does infinity).
    pub fn new(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        Self::decompose(matrix.clone())
    }

    /// As [`Cholesky::new`], in the memory of `matrix`.
    ///
    /// # Errors
    /// As [`Cholesky::new`].
    pub fn decompose(mut matrix: DMatrix<f64>) -> Result<Self, MatrixError> {
        factor::factor_in_place(&mut matrix)?;
        Ok(Self { factor: matrix })
    }

    /// The matrix L Lᵀ, from its factor; what is above the diagonal of `factor` is replaced by zeros.
    ///
    /// # Errors
    /// Not square; a diagonal entry that is not a positive number (as a pivot); or an entry below the
    /// diagonal whose square is not finite.
    pub fn from_factor(mut factor: DMatrix<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = factor.shape();
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        for pivot in 0..rows {
            let value = factor[(pivot, pivot)];
            if !(value > 0.0 && value < f64::INFINITY) {
                return Err(MatrixError::NotPositiveDefinite { pivot, value });
            }
            if !factor.column(pivot).rows_range(pivot..).iter().all(|entry| (entry * entry).is_finite()) {
                return Err(MatrixError::NotFinite);
            }
        }
        factor.fill_upper_triangle(0.0, 1);
        Ok(Self { factor })
    }

    /// The factor of the identity with `size` rows.
    pub fn identity(size: usize) -> Self {
        Self { factor: DMatrix::identity(size, size) }
    }

    /// L, with zeros above the diagonal.
    pub const fn factor(&self) -> &DMatrix<f64> {
        &self.factor
    }

    /// L, with zeros above the diagonal.
    pub fn into_factor(self) -> DMatrix<f64> {
        self.factor
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.factor.nrows()
    }

    /// ln det A = 2 Σ ln Lᵢᵢ; zero for the empty matrix.
    pub fn ln_determinant(&self) -> f64 {
        2.0 * self.factor.diagonal().iter().map(|pivot| pivot.ln()).sum::<f64>()
    }

    /// L Lᵀ, symmetric to the last bit.
    pub fn reconstruct(&self) -> DMatrix<f64> {
        gram_of_rows(&self.factor)
    }

    /// A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = b.clone();
        self.solve_in_place(&mut x);
        x
    }

    /// B := A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve_in_place(&self, b: &mut DMatrix<f64>) {
        solve_lower_in_place(&self.factor, b);
        solve_lower_transpose_in_place(&self.factor, b);
    }

    /// A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = b.clone();
        self.solve_slice_in_place(x.as_mut_slice());
        x
    }

    /// b := A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_slice_in_place(&self, b: &mut [f64]) {
        self.half_solve_slice_in_place(b);
        self.half_solve_transpose_slice_in_place(b);
    }

    /// L⁻¹ B: white noise, if the columns of B have covariance A.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn half_solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = b.clone();
        solve_lower_in_place(&self.factor, &mut x);
        x
    }

    /// B := L⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn half_solve_in_place(&self, b: &mut DMatrix<f64>) {
        solve_lower_in_place(&self.factor, b);
    }

    /// L⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn half_solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = b.clone();
        self.half_solve_slice_in_place(x.as_mut_slice());
        x
    }

    /// b := L⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn half_solve_slice_in_place(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        lower_vector(&self.factor, b);
    }

    /// L⁻ᵀ B: with covariance A⁻¹, if the columns of B are white noise.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn half_solve_transpose(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = b.clone();
        solve_lower_transpose_in_place(&self.factor, &mut x);
        x
    }

    /// L⁻ᵀ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn half_solve_transpose_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = b.clone();
        self.half_solve_transpose_slice_in_place(x.as_mut_slice());
        x
    }

    /// b := L⁻ᵀ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn half_solve_transpose_slice_in_place(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        lower_transpose_vector(&self.factor, b);
    }

    /// xᵀ A⁻¹ x = |L⁻¹ x|², the squared Mahalanobis distance.
    ///
    /// # Panics
    /// Unless x is as long as A has rows.
    #[track_caller]
    pub fn quadratic_form(&self, x: &DVector<f64>) -> f64 {
        let whitened = self.half_solve_vector(x);
        dot(whitened.as_slice(), whitened.as_slice())
    }

    /// A⁻¹, symmetric to the last bit. To solve a system with it is slower and less accurate than
    /// [`Cholesky::solve`].
    pub fn inverse(&self) -> DMatrix<f64> {
        let mut inverse = DMatrix::identity(self.size(), self.size());
        self.solve_in_place(&mut inverse);
        inverse.fill_upper_triangle_with_lower_triangle();
        inverse
    }

    /// The lower triangle of A⁻¹, with zeros above the diagonal: what a derivative of ln det A is made of.
    ///
    /// 2 n³/3 operations and two matrices of memory, against 2 n³ for [`Cholesky::inverse`].
    ///
    /// # References
    /// N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.3.
    pub fn inverse_triangle(&self) -> DMatrix<f64> {
        engine::inverse_of_product(&self.factor)
    }

    /// The diagonal of A⁻¹: Σⱼ (L⁻¹)ⱼᵢ². Fewer operations than the inverse takes.
    pub fn inverse_diagonal(&self) -> DVector<f64> {
        let inverse = self.inverse_factor();
        DVector::from_iterator(
            self.size(),
            inverse.column_iter().map(|column| {
                let column = column.as_slice();
                dot(column, column)
            }),
        )
    }

    /// L⁻¹, with zeros above the diagonal.
    fn inverse_factor(&self) -> DMatrix<f64> {
        engine::invert_lower(&self.factor)
    }
}
