//! Eigenvalues and eigenvectors of a symmetric matrix, and functions of it.

use nalgebra::{DMatrix, DVector};

use super::engine;
use super::error::MatrixError;
use super::product::multiply_transpose;
use super::product::symmetrize;

/// Below this many rows the loops of nalgebra are faster than blocks.
const BLOCKED_FROM: usize = 64;

/// Steps of the iteration for each row; about two are usual.
const STEPS_PER_ROW: usize = 100;

/// A symmetric matrix A = V Λ Vᵀ.
///
/// The eigenvalues ascend; the columns of V are orthonormal eigenvectors, each determined up to its sign
/// only. Only the lower triangle of A is read.
///
/// # Numerics
/// Absolute errors of the eigenvalues are a few n ε |A|: small ones of a badly scaled matrix may have no
/// correct digit. V Λ Vᵀ is A within 2e-14 of its largest entry for 80 rows.
///
/// ```
/// use posterior_math::linalg::{DMatrix, SymmetricEigen};
///
/// let eigen = SymmetricEigen::new(&DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]))?;
/// assert!((eigen.values()[0] - 1.0).abs() < 1e-15 && (eigen.values()[1] - 3.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct SymmetricEigen {
    #[cfg_attr(feature = "serde", serde(with = "super::written"))]
    values: DVector<f64>,
    #[cfg_attr(feature = "serde", serde(with = "super::written"))]
    vectors: DMatrix<f64>,
}

/// Values and vectors as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    #[serde(with = "super::written")]
    values: DVector<f64>,
    #[serde(with = "super::written")]
    vectors: DMatrix<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for SymmetricEigen {
    type Error = MatrixError;

    fn try_from(Unchecked { values, vectors }: Unchecked) -> Result<Self, MatrixError> {
        let (rows, columns) = vectors.shape();
        if rows != columns || rows != values.len() {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        Ok(Self { values, vectors })
    }
}

impl SymmetricEigen {
    /// The eigenvalues and eigenvectors of `matrix`, of which only the lower triangle is read.
    ///
    /// # Errors
    /// Not square, not finite, or the iteration does not converge, which is not known to happen.
    pub fn new(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        if !(0..rows).all(|j| matrix.column(j).rows_range(j..).iter().all(|entry| entry.is_finite())) {
            return Err(MatrixError::NotFinite);
        }
        // Where squares of small entries beside huge ones underflow, nalgebra returns NaN.
        let regular = |(values, vectors): &(DVector<f64>, DMatrix<f64>)| {
            values.iter().chain(vectors.iter()).all(|entry| entry.is_finite())
        };
        let small = if rows < BLOCKED_FROM { by_nalgebra(matrix).filter(regular) } else { None };
        let (values, vectors) = small
            .or_else(|| engine::symmetric_eigen(matrix).filter(regular))
            .ok_or(MatrixError::NoConvergence)?;
        Ok(Self { values, vectors })
    }

    /// The eigenvalues, ascending.
    pub const fn values(&self) -> &DVector<f64> {
        &self.values
    }

    /// The eigenvectors, as columns in the order of the eigenvalues.
    pub const fn vectors(&self) -> &DMatrix<f64> {
        &self.vectors
    }

    /// f(A) = V f(Λ) Vᵀ, symmetric to the last bit.
    pub fn function_of_matrix(&self, function: impl Fn(f64) -> f64) -> DMatrix<f64> {
        let mut scaled = self.vectors.clone();
        for (mut column, &value) in scaled.column_iter_mut().zip(self.values.iter()) {
            column *= function(value);
        }
        let mut result = multiply_transpose(&scaled, &self.vectors);
        symmetrize(&mut result);
        result
    }

    /// The symmetric square root of a positive semidefinite matrix. Eigenvalues that rounding made negative,
    /// down to -n ε max |λ|, count as zero.
    ///
    /// # Errors
    /// A smaller eigenvalue, as a pivot.
    pub fn square_root(&self) -> Result<DMatrix<f64>, MatrixError> {
        let tolerance = self.values.len() as f64 * f64::EPSILON * self.values.amax();
        if let Some((pivot, &value)) =
            self.values.iter().enumerate().find(|(_, value)| !(**value >= -tolerance))
        {
            return Err(MatrixError::NotPositiveDefinite { pivot, value });
        }
        Ok(self.function_of_matrix(|value| value.max(0.0).sqrt()))
    }
}

/// The eigenvalues in ascending order, and the eigenvectors, by nalgebra.
pub(super) fn by_nalgebra(matrix: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let n = matrix.nrows();
    if n == 0 {
        return Some((DVector::zeros(0), DMatrix::zeros(0, 0)));
    }
    let mut symmetric = matrix.clone();
    // The upper triangle decides the scale, though nothing else.
    symmetric.fill_upper_triangle_with_lower_triangle();
    let eigen = nalgebra::SymmetricEigen::try_new(symmetric, f64::EPSILON, STEPS_PER_ROW * n)?;
    let (mut values, mut vectors) = (eigen.eigenvalues, eigen.eigenvectors);
    for i in 0..n - 1 {
        let least = i + values.rows_range(i..).imin();
        if least != i {
            values.swap_rows(i, least);
            vectors.swap_columns(i, least);
        }
    }
    Some((values, vectors))
}
