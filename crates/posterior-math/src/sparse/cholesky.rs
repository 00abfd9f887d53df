//! The Cholesky factor of a sparse symmetric positive definite matrix, and what one computes from it.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::order::Ordering;
use super::panels::Panels;
use super::selected::SelectedInverse;
use super::symbolic::SparseSymbolic;
use super::symmetric::SparseSymmetric;
use crate::linalg::MatrixError;

/// A sparse symmetric positive definite matrix P A Pᵀ = L Lᵀ for an order of elimination P, by its factor.
///
/// # Numerics
/// Backward stable as the dense [`Cholesky`](crate::linalg::Cholesky), whatever the order and the units.
///
/// # Cost
/// What the fill says: on a grid in the plane with n nodes about 4 n log₂ n entries and 10 n^(3/2)
/// operations, in space O(n^(4/3)) and O(n²). All dense work is by blocks; with the feature `faer` by its
/// kernels. Columns of L are held in panels, see [`SparseSymbolic`].
///
/// # References
/// Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, Algorithm 887: CHOLMOD, ACM TOMS 35 (2008).
///
/// ```
/// use posterior_math::sparse::{Ordering, SparseCholesky, SparseSymmetric};
///
/// let entries = [(0, 0, 4.0), (1, 1, 5.0), (2, 2, 3.0), (1, 0, 2.0), (2, 1, 1.0)];
/// let a = SparseSymmetric::from_triplets(3, entries)?;
/// let factor = SparseCholesky::new(&a, &Ordering::MinimumDegree)?;
/// assert!((factor.ln_determinant() - 44.0_f64.ln()).abs() < 1e-14);
/// // Variances of a field with precision A: the diagonal of its inverse.
/// assert!((factor.selected_inverse().diagonal()[2] - 16.0 / 44.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseCholesky {
    pub(super) panels: Panels,
}

impl SparseCholesky {
    /// The analysis of the pattern, and the factor.
    ///
    /// # Errors
    /// An order that does not fit; or not positive definite, with the column of A where elimination, in its
    /// own order, met the first pivot that is not a positive number.
    pub fn new(matrix: &SparseSymmetric, ordering: &Ordering) -> Result<Self, MatrixError> {
        Self::with_symbolic(&Arc::new(SparseSymbolic::new(matrix, ordering)?), matrix)
    }

    /// The factor of a matrix whose stored entries were analysed before.
    ///
    /// # Errors
    /// Another pattern; or not positive definite, as [`SparseCholesky::new`].
    pub fn with_symbolic(
        symbolic: &Arc<SparseSymbolic>,
        matrix: &SparseSymmetric,
    ) -> Result<Self, MatrixError> {
        Ok(Self { panels: Panels::factor(Arc::clone(symbolic), matrix, false)? })
    }

    /// The analysis, for other matrices with the same stored entries.
    pub const fn symbolic(&self) -> &Arc<SparseSymbolic> {
        &self.panels.symbolic
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.panels.size()
    }

    /// ln det A; zero for the empty matrix.
    pub fn ln_determinant(&self) -> f64 {
        self.panels.ln_determinant()
    }

    /// b := A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_slice_in_place(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        self.panels.solve_in_place(b);
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

    /// A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        assert_eq!(b.nrows(), self.size(), "rows of the right-hand side");
        let mut x = b.clone();
        self.panels.solve_in_place(x.as_mut_slice());
        x
    }

    /// e := Pᵀ L⁻ᵀ e: with covariance A⁻¹ if e is white noise, so that μ + e is a draw from the Gaussian with
    /// mean μ and precision A.
    ///
    /// # Panics
    /// Unless e is as long as A has rows.
    #[track_caller]
    pub fn half_solve_transpose_slice_in_place(&self, e: &mut [f64]) {
        assert_eq!(e.len(), self.size(), "length of the noise");
        let mut x = e.to_vec();
        self.panels.solve_lower_transpose(&mut x);
        self.panels.restored(&x, e);
    }

    /// b := L⁻¹ P b: white noise if b has covariance A. The coordinates are in the order of elimination.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn half_solve_slice_in_place(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        self.panels.half_solve_in_place(b);
    }

    /// L⁻¹ P B: the product of its columns is Bᵀ A⁻¹ B. The coordinates are in the order of elimination.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn half_solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        assert_eq!(b.nrows(), self.size(), "rows of the right-hand side");
        let mut x = b.clone();
        self.panels.half_solve_in_place(x.as_mut_slice());
        x
    }

    /// The entries of A⁻¹ where L has entries, the diagonal among them: marginal variances and covariances of
    /// neighbours, without the inverse.
    ///
    /// Two to three times the time of the factor, and as much memory as the factor once more.
    pub fn selected_inverse(&self) -> SelectedInverse {
        SelectedInverse::of(&self.panels)
    }
}
