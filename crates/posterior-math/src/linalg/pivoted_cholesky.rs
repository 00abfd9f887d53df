//! The Cholesky factor of a positive semidefinite matrix, which reveals its rank.

use nalgebra::DMatrix;

use super::error::MatrixError;
use super::product::gram_of_rows;
use super::vector::subtract_multiple;

/// A positive semidefinite matrix A = F Fᵀ, with as many columns in F as A has rank.
///
/// The largest entry that is left on the diagonal is the next pivot, until none is above the tolerance. Only
/// the lower triangle of A is read. With its rows in the order of the pivots F is lower triangular.
///
/// # Numerics
/// A - F Fᵀ is a few n ε max Aᵢᵢ if the tolerance is the usual one. The rank is that of a matrix as close to
/// A; a pathological matrix may hide a lower one.
///
/// # Cost
/// About n² r operations for rank r.
///
/// # References
/// N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 10.3.
///
/// ```
/// use posterior_math::linalg::{DMatrix, PivotedCholesky};
///
/// let a = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0]);
/// let factor = PivotedCholesky::new(&a)?;
/// assert_eq!(factor.rank(), 1);
/// assert_eq!(factor.factor().as_slice(), [1.0, 2.0, 3.0]);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PivotedCholesky {
    factor: DMatrix<f64>,
    pivots: Vec<usize>,
    remainder: f64,
}

impl PivotedCholesky {
    /// The factor of `matrix` down to pivots of n ε max Aᵢᵢ, which is what rounding leaves.
    ///
    /// # Errors
    /// Not square, not finite, or not positive semidefinite.
    pub fn new(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        Self::with_tolerance(matrix, 0.0)
    }

    /// The factor of `matrix` down to pivots of `tolerance`, or of the tolerance of [`PivotedCholesky::new`]
    /// if that is larger: an approximation of lower rank, with errors of at most `tolerance`.
    ///
    /// # Errors
    /// Not square; not finite; or what is left is not positive semidefinite within the tolerance: a negative
    /// diagonal entry, or an entry larger than all of the diagonal, with the index of its row in `matrix`.
    pub fn with_tolerance(matrix: &DMatrix<f64>, tolerance: f64) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        let mut rest = matrix.clone();
        rest.fill_upper_triangle_with_lower_triangle();
        if !rest.iter().all(|entry| entry.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        let largest = rest.diagonal().iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        let tolerance = tolerance.max(rows as f64 * f64::EPSILON * largest);
        let mut factor: Vec<f64> = Vec::new();
        let mut pivots = Vec::new();
        while let Some(pivot) = largest_pivot(&rest, &pivots, tolerance) {
            let root = rest[(pivot, pivot)].sqrt();
            let mut column = rest.column(pivot).map(|entry| entry / root);
            for &done in &pivots {
                column[done] = 0.0;
            }
            column[pivot] = root;
            for j in 0..rows {
                subtract_multiple(rest.column_mut(j).as_mut_slice(), column[j], column.as_slice());
            }
            factor.extend_from_slice(column.as_slice());
            pivots.push(pivot);
        }
        let remainder = check_remainder(&rest, &pivots, tolerance)?;
        Ok(Self { factor: DMatrix::from_vec(rows, pivots.len(), factor), pivots, remainder })
    }

    /// F, with the rows in the order of A.
    pub const fn factor(&self) -> &DMatrix<f64> {
        &self.factor
    }

    /// The number of columns of F.
    pub const fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The rows of the pivots, largest first.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The trace of A - F Fᵀ.
    pub const fn remainder(&self) -> f64 {
        self.remainder
    }

    /// F Fᵀ, symmetric to the last bit.
    pub fn reconstruct(&self) -> DMatrix<f64> {
        gram_of_rows(&self.factor)
    }
}

/// The index of the largest diagonal entry, if it is above the tolerance.
fn largest_pivot(rest: &DMatrix<f64>, pivots: &[usize], tolerance: f64) -> Option<usize> {
    (0..rest.nrows())
        .filter(|row| !pivots.contains(row) && rest[(*row, *row)] > tolerance)
        .max_by(|&a, &b| rest[(a, a)].total_cmp(&rest[(b, b)]).then(b.cmp(&a)))
}

/// The trace of what is left, if every entry is as small as in a positive semidefinite matrix.
fn check_remainder(rest: &DMatrix<f64>, pivots: &[usize], tolerance: f64) -> Result<f64, MatrixError> {
    let mut trace = 0.0;
    for j in (0..rest.nrows()).filter(|row| !pivots.contains(row)) {
        let diagonal = rest[(j, j)];
        if !(diagonal >= -tolerance) {
            return Err(MatrixError::NotPositiveDefinite { pivot: j, value: diagonal });
        }
        trace += diagonal.max(0.0);
        for i in (0..rest.nrows()).filter(|row| !pivots.contains(row)) {
            // The smaller eigenvalue of [[d, e], [e, d']] is at least -|e| above the smaller diagonal entry.
            let entry = rest[(i, j)].abs();
            if !(entry <= 2.0 * tolerance) {
                return Err(MatrixError::NotPositiveDefinite { pivot: j, value: diagonal - entry });
            }
        }
    }
    Ok(trace)
}
