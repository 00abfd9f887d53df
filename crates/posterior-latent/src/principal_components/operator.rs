//! Matrices known by what they do to vectors.

use posterior_math::check::DimensionError;
use posterior_math::linalg::{DMatrix, multiply, transpose_multiply};

use crate::error::Error;

/// A matrix A that can be multiplied: dense, sparse, or a product that nobody wants to write down.
///
/// # Distributions
/// Both functions are linear, and yᵀ(A x) = (Aᵀ y)ᵀ x. Matrices of other sizes than documented are never
/// passed.
pub trait LinearOperator {
    /// The number of rows and of columns.
    fn shape(&self) -> (usize, usize);

    /// A X, for a matrix X with as many rows as A has columns.
    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64>;

    /// Aᵀ Y, for a matrix Y with as many rows as A.
    fn apply_transpose(&self, y: &DMatrix<f64>) -> DMatrix<f64>;
}

impl LinearOperator for DMatrix<f64> {
    fn shape(&self) -> (usize, usize) {
        self.shape()
    }

    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        multiply(self, x)
    }

    fn apply_transpose(&self, y: &DMatrix<f64>) -> DMatrix<f64> {
        transpose_multiply(self, y)
    }
}

/// A matrix most of whose entries are 0, row by row: words in documents.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseObservations {
    columns: usize,
    /// Where each row begins, and where the last one ends.
    starts: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl SparseObservations {
    /// The matrix with these entries, (row, column, value), in any order; those of one place are added.
    ///
    /// # Errors
    /// If a place is outside of the matrix, or a value is not finite.
    pub fn new(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> Result<Self, Error> {
        for &(row, column, value) in entries {
            for (what, bound, index) in
                [("row of an entry", rows, row), ("column of an entry", columns, column)]
            {
                if index >= bound {
                    return Err(DimensionError::new(what, bound, index).into());
                }
            }
            if !value.is_finite() {
                return Err(Error::NotFinite { row, column, value, hint: "" });
            }
        }
        let mut sorted = entries.to_vec();
        sorted.sort_by_key(|&(row, column, _)| (row, column));
        let starts = (0..=rows).map(|row| sorted.partition_point(|entry| entry.0 < row)).collect();
        Ok(Self {
            columns,
            starts,
            entries: sorted.into_iter().map(|(_, column, value)| (column, value)).collect(),
        })
    }

    fn row(&self, i: usize) -> &[(usize, f64)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }
}

impl LinearOperator for SparseObservations {
    fn shape(&self) -> (usize, usize) {
        (self.rows(), self.columns)
    }

    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.rows(), x.ncols());
        for (mut to, from) in product.column_iter_mut().zip(x.column_iter()) {
            for (i, sum) in to.iter_mut().enumerate() {
                *sum = self.row(i).iter().map(|&(j, value)| value * from[j]).sum();
            }
        }
        product
    }

    fn apply_transpose(&self, y: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.columns, y.ncols());
        for (mut to, from) in product.column_iter_mut().zip(y.column_iter()) {
            for (i, &factor) in from.iter().enumerate() {
                for &(j, value) in self.row(i) {
                    to[j] += value * factor;
                }
            }
        }
        product
    }
}

/// Another operator, less the mean of its rows: principal components of what must stay sparse.
#[derive(Debug, Clone, PartialEq)]
pub struct CentredOperator<'a, A> {
    operator: &'a A,
    mean: DMatrix<f64>,
}

impl<'a, A: LinearOperator> CentredOperator<'a, A> {
    /// The operator less the mean of its rows.
    pub fn new(operator: &'a A) -> Self {
        let rows = operator.shape().0;
        let mean = operator.apply_transpose(&DMatrix::from_element(rows, 1, 1.0)) / rows.max(1) as f64;
        Self { operator, mean }
    }

    /// The mean of the rows.
    pub fn mean(&self) -> &[f64] {
        self.mean.as_slice()
    }
}

impl<A: LinearOperator> LinearOperator for CentredOperator<'_, A> {
    fn shape(&self) -> (usize, usize) {
        self.operator.shape()
    }

    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = self.operator.apply(x);
        let shift = transpose_multiply(&self.mean, x);
        for (mut column, shift) in product.column_iter_mut().zip(shift.iter()) {
            column.add_scalar_mut(-shift);
        }
        product
    }

    fn apply_transpose(&self, y: &DMatrix<f64>) -> DMatrix<f64> {
        let sums = y.row_sum();
        self.operator.apply_transpose(y) - &self.mean * sums
    }
}
