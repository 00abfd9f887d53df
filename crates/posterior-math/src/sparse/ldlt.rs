//! L D Lᵀ of a sparse symmetric matrix that need not be positive definite.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::order::Ordering;
use super::panels::Panels;
use super::selected::SelectedInverse;
use super::symbolic::SparseSymbolic;
use super::symmetric::SparseSymmetric;
use crate::linalg::MatrixError;

/// A sparse symmetric matrix P A Pᵀ = L D Lᵀ with pivots D of any sign, without interchanges.
///
/// For matrices that have such a factor in every order, as quasi-definite ones do: [[H, Bᵀ], [B, -C]] with H
/// and C positive definite. Of others the solutions may lose digits, or a pivot may be zero: then the dense
/// [`Ldlt`](crate::linalg::Ldlt) helps, which interchanges rows.
///
/// # References
/// R. J. Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optim. 5 (1995).
///
/// ```
/// use posterior_math::sparse::{Ordering, SparseLdlt, SparseSymmetric};
///
/// // The least of x² + y² with x + y = 1, relaxed by 1e-9.
/// let kkt = SparseSymmetric::from_triplets(
///     3,
///     [(0, 0, 2.0), (1, 1, 2.0), (2, 2, -1e-9), (2, 0, 1.0), (2, 1, 1.0)],
/// )?;
/// let factor = SparseLdlt::new(&kkt, &Ordering::MinimumDegree)?;
/// let mut x = [0.0, 0.0, 1.0];
/// factor.solve_slice_in_place(&mut x);
/// assert!((x[0] - 0.5).abs() < 1e-8);
/// assert_eq!(factor.negative_pivots(), 1);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseLdlt {
    panels: Panels,
}

impl SparseLdlt {
    /// The analysis of the pattern, and the factor.
    ///
    /// # Errors
    /// An order that does not fit; or the column of A, as [`MatrixError::ZeroPivot`], whose pivot is zero or
    /// not finite.
    pub fn new(matrix: &SparseSymmetric, ordering: &Ordering) -> Result<Self, MatrixError> {
        Self::with_symbolic(&Arc::new(SparseSymbolic::new(matrix, ordering)?), matrix)
    }

    /// The factor of a matrix whose stored entries were analysed before.
    ///
    /// # Errors
    /// Another pattern; or a pivot, as [`SparseLdlt::new`].
    pub fn with_symbolic(
        symbolic: &Arc<SparseSymbolic>,
        matrix: &SparseSymmetric,
    ) -> Result<Self, MatrixError> {
        let panels = Panels::factor(Arc::clone(symbolic), matrix, true).map_err(|error| match error {
            MatrixError::NotPositiveDefinite { pivot, value } => MatrixError::ZeroPivot { pivot, value },
            other => other,
        })?;
        Ok(Self { panels })
    }

    /// The analysis, for other matrices with the same stored entries.
    pub const fn symbolic(&self) -> &Arc<SparseSymbolic> {
        &self.panels.symbolic
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.panels.size()
    }

    /// How many pivots, and so eigenvalues of A, are negative.
    pub fn negative_pivots(&self) -> usize {
        self.panels.signs.iter().flatten().filter(|&&sign| sign < 0.0).count()
    }

    /// ln |det A|, and the sign of det A: 1 or -1.
    pub fn ln_determinant(&self) -> (f64, f64) {
        let sign = if self.negative_pivots().is_multiple_of(2) { 1.0 } else { -1.0 };
        (self.panels.ln_determinant(), sign)
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

    /// The entries of A⁻¹ where L has entries, the diagonal among them.
    pub fn selected_inverse(&self) -> SelectedInverse {
        SelectedInverse::of(&self.panels)
    }
}
