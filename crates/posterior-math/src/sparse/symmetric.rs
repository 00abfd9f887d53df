//! Symmetric matrices of which most entries are zero.

use nalgebra::{DMatrix, DVector};

use super::compressed::{Compressed, check_count};
use crate::linalg::MatrixError;

/// A symmetric matrix of which only the entries that are stored may differ from zero: the lower triangle by
/// compressed columns, with rows in ascending order and the diagonal always there.
///
/// # Cost
/// 12 bytes for each stored entry; products take time in proportion to these entries.
///
/// ```
/// use posterior_math::sparse::SparseSymmetric;
///
/// // 2 on the diagonal, -1 beside it; each pair of mirrored entries is given once.
/// let entries = [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 2.0), (1, 0, -1.0), (2, 1, -1.0)];
/// let chain = SparseSymmetric::from_triplets(3, entries)?;
/// assert_eq!(chain.entry(0, 1), -1.0);
/// assert_eq!(chain.multiply_slice(&[1.0, 1.0, 1.0]), [1.0, 0.0, 1.0]);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseSymmetric {
    pub(super) lower: Compressed,
}

impl SparseSymmetric {
    /// The matrix with these entries (row, column, value). An entry stands for its mirror image too, so that
    /// each pair is given once, in either triangle; entries of one place are added.
    ///
    /// # Errors
    /// An index that is not below `size`, a sum that is not finite, or more than 2³² - 2
    /// rows or entries.
    pub fn from_triplets(
        size: usize,
        triplets: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, MatrixError> {
        check_count(size)?;
        let mut entries: Vec<(usize, usize, f64)> = (0..size).map(|i| (i, i, 0.0)).collect();
        entries.extend(triplets.into_iter().map(|(i, j, value)| (i.max(j), i.min(j), value)));
        Ok(Self { lower: Compressed::from_triplets(size, size, &entries)? })
    }

    /// The stored entries of a dense matrix: those of the lower triangle that are not zero.
    ///
    /// # Errors
    /// Not square, or an entry of the lower triangle that is not finite.
    pub fn from_lower_triangle(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        let places = (0..columns).flat_map(|j| (j..rows).map(move |i| (i, j, matrix[(i, j)])));
        Self::from_triplets(rows, places.filter(|entry| entry.2 != 0.0))
    }

    /// The diagonal matrix with these entries.
    ///
    /// # Errors
    /// An entry that is not finite.
    pub fn from_diagonal(diagonal: &[f64]) -> Result<Self, MatrixError> {
        Self::from_triplets(diagonal.len(), diagonal.iter().enumerate().map(|(i, &value)| (i, i, value)))
    }

    /// The number of rows.
    pub const fn size(&self) -> usize {
        self.lower.columns()
    }

    /// The number of stored entries of the lower triangle, the diagonal included.
    pub const fn stored(&self) -> usize {
        self.lower.values.len()
    }

    /// The stored entries of the lower triangle as (row, column, value), column by column.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.lower.triplets()
    }

    /// The values of the stored entries, in the order of [`triplets`](Self::triplets).
    pub fn values(&self) -> &[f64] {
        &self.lower.values
    }

    /// Replaces the values of all stored entries, in the order of [`triplets`](Self::triplets); on an error
    /// the matrix stays as it is.
    ///
    /// ```
    /// use posterior_math::sparse::SparseSymmetric;
    ///
    /// let mut matrix = SparseSymmetric::from_triplets(2, [(0, 0, 1.0), (1, 0, 0.0), (1, 1, 1.0)])?;
    /// matrix.set_values(&[3.0, -1.0, 2.0])?;
    /// assert_eq!(matrix.entry(0, 1), -1.0);
    /// # Ok::<(), posterior_math::linalg::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// Not one value for each stored entry, or one that is not finite.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), MatrixError> {
        if values.len() != self.stored() {
            return Err(MatrixError::Mismatch { expected: self.stored(), found: values.len() });
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        self.lower.values.copy_from_slice(values);
        Ok(())
    }

    /// Where the entry of row i and column j is in the order of [`triplets`](Self::triplets); none if it is
    /// not stored.
    ///
    /// # Panics
    /// Unless both indices are below the number of rows.
    #[track_caller]
    pub fn position(&self, i: usize, j: usize) -> Option<usize> {
        assert!(i < self.size() && j < self.size(), "indices below the number of rows");
        let (i, j) = (i.max(j), i.min(j));
        let begin = self.lower.starts[j];
        self.lower.column(j).0.binary_search(&(i as u32)).ok().map(|at| begin + at)
    }

    /// The entry of row i and column j: zero where none is stored.
    ///
    /// # Panics
    /// Unless both indices are below the number of rows.
    #[track_caller]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        assert!(i < self.size() && j < self.size(), "indices below the number of rows");
        self.lower.entry(i.max(j), i.min(j))
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        self.lower.starts[..self.size()].iter().map(|&at| self.lower.values[at]).collect()
    }

    /// The matrix with zeros where none are stored.
    pub fn to_dense(&self) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.size(), self.size());
        for (i, j, value) in self.triplets() {
            dense[(i, j)] = value;
            dense[(j, i)] = value;
        }
        dense
    }

    /// A x.
    ///
    /// # Panics
    /// Unless x is as long as A has rows.
    #[track_caller]
    pub fn multiply_slice(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.size(), "length of the vector");
        let mut product = vec![0.0; x.len()];
        for j in 0..x.len() {
            let (rows, values) = self.lower.column(j);
            let mut sum = values[0] * x[j];
            for (&i, value) in rows[1..].iter().zip(&values[1..]) {
                product[i as usize] += value * x[j];
                sum += value * x[i as usize];
            }
            product[j] += sum;
        }
        product
    }

    /// A B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn multiply(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let columns: Vec<_> =
            b.column_iter().map(|column| DVector::from(self.multiply_slice(column.as_slice()))).collect();
        if columns.is_empty() { DMatrix::zeros(self.size(), 0) } else { DMatrix::from_columns(&columns) }
    }

    /// xᵀ A x.
    ///
    /// # Panics
    /// Unless x is as long as A has rows.
    #[track_caller]
    pub fn quadratic_form(&self, x: &[f64]) -> f64 {
        assert_eq!(x.len(), self.size(), "length of the vector");
        let mut sum = 0.0;
        for j in 0..x.len() {
            let (rows, values) = self.lower.column(j);
            let below: f64 =
                rows[1..].iter().zip(&values[1..]).map(|(&i, value)| value * x[i as usize]).sum();
            sum += x[j] * (values[0] * x[j] + 2.0 * below);
        }
        sum
    }

    /// c A.
    ///
    /// # Errors
    /// If an entry is not finite then.
    pub fn scaled(&self, c: f64) -> Result<Self, MatrixError> {
        let mut scaled = self.clone();
        scaled.lower.values.iter_mut().for_each(|value| *value *= c);
        if scaled.lower.values.iter().all(|value| value.is_finite()) {
            Ok(scaled)
        } else {
            Err(MatrixError::NotFinite)
        }
    }

    /// A + c B, with the stored entries of both.
    ///
    /// # Errors
    /// Of different sizes, or an entry that is not finite.
    pub fn plus(&self, c: f64, other: &Self) -> Result<Self, MatrixError> {
        if other.size() != self.size() {
            return Err(MatrixError::Mismatch { expected: self.size(), found: other.size() });
        }
        let second = other.triplets().map(|(i, j, value)| (i, j, c * value));
        Self::from_triplets(self.size(), self.triplets().chain(second))
    }

    /// The rows and columns of these distinct indices, in their order.
    ///
    /// # Panics
    /// If an index is not below the number of rows.
    #[must_use]
    #[track_caller]
    pub fn principal(&self, indices: &[usize]) -> Self {
        let mut place = vec![u32::MAX; self.size()];
        for (new, &old) in indices.iter().enumerate() {
            place[old] = new as u32;
        }
        let kept = self.triplets().filter_map(|(i, j, value)| {
            let (i, j) = (place[i], place[j]);
            (i != u32::MAX && j != u32::MAX).then_some((i as usize, j as usize, value))
        });
        Self::from_triplets(indices.len(), kept).expect("the entries are those of a checked matrix")
    }

    /// The stored entries beside the diagonal: for each row the columns of both triangles, in order.
    pub fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.size()];
        for (i, j, _) in self.triplets().filter(|(i, j, _)| i != j) {
            lists[i].push(j);
            lists[j].push(i);
        }
        for list in &mut lists {
            list.sort_unstable();
        }
        lists
    }
}
