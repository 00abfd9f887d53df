//! Matrices of any shape of which most entries are zero.

use nalgebra::DMatrix;

use super::compressed::{Compressed, check_count};
use super::symmetric::SparseSymmetric;
use crate::linalg::MatrixError;

/// A matrix of any shape of which only the entries that are stored may differ from zero, by compressed
/// columns: which coordinates are observed, differences, projections onto a mesh.
///
/// ```
/// use posterior_math::sparse::SparseMatrix;
///
/// let difference = SparseMatrix::from_triplets(1, 3, [(0, 0, -1.0), (0, 2, 1.0)])?;
/// assert_eq!(difference.multiply_slice(&[1.0, 5.0, 4.0]), [3.0]);
/// assert_eq!(difference.gram(&[2.0])?.entry(2, 0), -2.0);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    columns: Compressed,
}

impl SparseMatrix {
    /// The matrix with these entries (row, column, value); those of one place are added.
    ///
    /// # Errors
    /// An index that is out of range, or a sum that is not finite.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        triplets: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, MatrixError> {
        check_count(rows)?;
        check_count(columns)?;
        let entries: Vec<_> = triplets.into_iter().collect();
        Ok(Self { columns: Compressed::from_triplets(rows, columns, &entries)? })
    }

    /// The number of rows.
    pub const fn rows(&self) -> usize {
        self.columns.row_count
    }

    /// The number of columns.
    pub const fn columns(&self) -> usize {
        self.columns.columns()
    }

    /// The number of stored entries.
    pub const fn stored(&self) -> usize {
        self.columns.values.len()
    }

    /// The stored entries as (row, column, value), column by column.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.columns.triplets()
    }

    /// The transpose, Aᵀ.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self { columns: self.columns.transpose() }
    }

    /// The matrix with zeros where none are stored.
    pub fn to_dense(&self) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.rows(), self.columns());
        for (i, j, value) in self.triplets() {
            dense[(i, j)] = value;
        }
        dense
    }

    /// A x.
    ///
    /// # Panics
    /// Unless x is as long as A has columns.
    #[track_caller]
    pub fn multiply_slice(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.columns(), "length of the vector");
        let mut product = vec![0.0; self.rows()];
        for (i, j, value) in self.triplets() {
            product[i] += value * x[j];
        }
        product
    }

    /// Aᵀ x.
    ///
    /// # Panics
    /// Unless x is as long as A has rows.
    #[track_caller]
    pub fn transpose_multiply_slice(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.rows(), "length of the vector");
        let mut product = vec![0.0; self.columns()];
        for (i, j, value) in self.triplets() {
            product[j] += value * x[i];
        }
        product
    }

    /// Aᵀ W A for the diagonal matrix W of these weights, one for each row: the precision that observations
    /// A x with precisions W add to that of x.
    ///
    /// Time and memory in proportion to the sum of the squared numbers of entries of the rows.
    ///
    /// # Errors
    /// Not one weight for each row, or an entry that is not finite.
    pub fn gram(&self, weights: &[f64]) -> Result<SparseSymmetric, MatrixError> {
        if weights.len() != self.rows() {
            return Err(MatrixError::Mismatch { expected: self.rows(), found: weights.len() });
        }
        let rows = self.transpose();
        let products = weights.iter().enumerate().flat_map(|(row, &weight)| {
            let (places, values) = rows.columns.column(row);
            places.iter().enumerate().flat_map(move |(k, &i)| {
                let left = weight * values[k];
                places[..=k].iter().zip(values).map(move |(&j, value)| (i as usize, j as usize, left * value))
            })
        });
        SparseSymmetric::from_triplets(self.columns(), products)
    }
}
