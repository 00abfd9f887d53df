//! Diagonal plus low rank: the inversion lemma and the determinant lemma.

use nalgebra::{DMatrix, DVector};

use super::cholesky::Cholesky;
use super::dot;
use super::error::MatrixError;
use super::pivoted_cholesky::PivotedCholesky;
use super::product::{gram_of_columns, gram_of_rows, multiply, transpose_multiply};

/// The covariance of k common factors and independent noise, A = D + U C Uᵀ: D diagonal and positive, C
/// positive semidefinite.
///
/// With C = F Fᵀ and S = D^-½ U F: A⁻¹ = D^-½ (I - S K⁻¹ Sᵀ) D^-½ and det A = det D det K, where K = I + Sᵀ
/// S. C may be singular, because it is never inverted.
///
/// # Numerics
/// In the table of the tests all errors are below 2 ε κ(D^-½ A D^-½).
///
/// # Cost
/// n k² operations to prepare, n k for each solution; the n × n matrix is never formed.
///
/// # References
/// M. A. Woodbury, Inverting modified matrices, Memorandum 42, Statistical Research Group, Princeton (1950).
///
/// ```
/// use posterior_math::linalg::{DMatrix, DVector, LowRank};
///
/// let a = LowRank::new(&DVector::from_element(3, 1.0), &DMatrix::from_element(3, 1, 1.0))?; // I + 1 1ᵀ
/// assert!((a.ln_determinant() - 4_f64.ln()).abs() < 1e-15);
/// assert!((a.solve_vector(&DVector::from_element(3, 4.0))[0] - 1.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LowRank {
    scale: DVector<f64>,
    scaled: DMatrix<f64>,
    capacitance: Cholesky,
}

impl LowRank {
    /// D + U Uᵀ, with D given by its diagonal.
    ///
    /// # Errors
    /// Sizes that do not agree; an entry of the diagonal that is not positive and finite, as a pivot; an
    /// entry of U that is not finite, or a product beyond the range of f64.
    pub fn new(diagonal: &DVector<f64>, u: &DMatrix<f64>) -> Result<Self, MatrixError> {
        if u.nrows() != diagonal.len() {
            return Err(MatrixError::Mismatch { expected: diagonal.len(), found: u.nrows() });
        }
        for (pivot, &value) in diagonal.iter().enumerate() {
            if !(value > 0.0 && value < f64::INFINITY) {
                return Err(MatrixError::NotPositiveDefinite { pivot, value });
            }
        }
        let scale = diagonal.map(f64::sqrt);
        let mut scaled = u.clone();
        for mut column in scaled.column_iter_mut() {
            column.component_div_assign(&scale);
        }
        let mut capacitance = gram_of_columns(&scaled);
        for i in 0..capacitance.nrows() {
            capacitance[(i, i)] += 1.0;
        }
        if !capacitance.iter().all(|entry| entry.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        let capacitance = Cholesky::decompose(capacitance)?;
        Ok(Self { scale, scaled, capacitance })
    }

    /// D + U C Uᵀ, with D given by its diagonal; only the lower triangle of C is read.
    ///
    /// # Errors
    /// As [`LowRank::new`]; or C is not positive semidefinite.
    pub fn with_core(
        diagonal: &DVector<f64>,
        u: &DMatrix<f64>,
        core: &DMatrix<f64>,
    ) -> Result<Self, MatrixError> {
        if u.ncols() != core.nrows() {
            return Err(MatrixError::Mismatch { expected: u.ncols(), found: core.nrows() });
        }
        Self::new(diagonal, &multiply(u, PivotedCholesky::new(core)?.factor()))
    }

    /// The number of rows of A.
    pub fn size(&self) -> usize {
        self.scale.len()
    }

    /// ln det A = ln det D + ln det K.
    pub fn ln_determinant(&self) -> f64 {
        2.0 * self.scale.iter().map(|scale| scale.ln()).sum::<f64>() + self.capacitance.ln_determinant()
    }

    /// A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        let mut x = b.component_div(&self.scale);
        let mut inner = self.scaled.tr_mul(&x);
        self.capacitance.solve_slice_in_place(inner.as_mut_slice());
        x.gemv(-1.0, &self.scaled, &inner, 1.0);
        x.component_div_assign(&self.scale);
        x
    }

    /// A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        assert_eq!(b.nrows(), self.size(), "rows of the right-hand side");
        let mut x = b.clone();
        self.unscale(&mut x);
        let mut inner = transpose_multiply(&self.scaled, &x);
        self.capacitance.solve_in_place(&mut inner);
        x -= multiply(&self.scaled, &inner);
        self.unscale(&mut x);
        x
    }

    /// xᵀ A⁻¹ x.
    ///
    /// # Panics
    /// Unless x is as long as A has rows.
    #[track_caller]
    pub fn quadratic_form(&self, x: &DVector<f64>) -> f64 {
        dot(x.as_slice(), self.solve_vector(x).as_slice())
    }

    /// The diagonal of A⁻¹.
    pub fn inverse_diagonal(&self) -> DVector<f64> {
        let leverages = self.capacitance.half_solve(&self.scaled.transpose());
        DVector::from_iterator(
            self.size(),
            leverages
                .column_iter()
                .zip(self.scale.iter())
                .map(|(column, scale)| (1.0 - dot(column.as_slice(), column.as_slice())) / (scale * scale)),
        )
    }

    /// A as a dense matrix.
    pub fn reconstruct(&self) -> DMatrix<f64> {
        let mut factor = self.scaled.clone();
        for mut column in factor.column_iter_mut() {
            column.component_mul_assign(&self.scale);
        }
        let mut matrix = gram_of_rows(&factor);
        for (i, scale) in self.scale.iter().enumerate() {
            matrix[(i, i)] += scale * scale;
        }
        matrix
    }

    /// B := D^-½ B.
    fn unscale(&self, b: &mut DMatrix<f64>) {
        for mut column in b.column_iter_mut() {
            column.component_div_assign(&self.scale);
        }
    }
}
