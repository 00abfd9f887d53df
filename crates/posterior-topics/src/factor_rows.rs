//! Rows of numbers, one for each document or word and a number for each topic, laid out for vector
//! instructions.

#![expect(
    clippy::inline_always,
    reason = "what is dispatched to a set of instructions must be inlined into it"
)]

use posterior_math::linalg::{DMatrix, written};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::lanes::{Lane, ZERO, lane_sum, width};

/// Rows that a thread takes at a time.
const BLOCK: usize = 256;

/// A matrix by rows; each row begins at a lane of its own, and ends in zeros.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FactorRows {
    columns: usize,
    lanes: usize,
    values: Vec<Lane>,
}

impl FactorRows {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        let lanes = width(columns);
        Self { columns, lanes, values: vec![ZERO; rows * lanes] }
    }

    /// Called row by row, each from its first column.
    pub(crate) fn from_fn(rows: usize, columns: usize, mut f: impl FnMut(usize, usize) -> f64) -> Self {
        let mut made = Self::zeros(rows, columns);
        for i in 0..rows {
            for (j, value) in made.numbers_mut(i).iter_mut().enumerate() {
                *value = f(i, j);
            }
        }
        made
    }

    pub(crate) fn rows(&self) -> usize {
        self.values.len() / self.lanes
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Lanes of a row.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// A row with the zeros at its end.
    pub(crate) fn row(&self, i: usize) -> &[Lane] {
        &self.values[i * self.lanes..][..self.lanes]
    }

    /// All rows, one after the other.
    pub(crate) fn all_mut(&mut self) -> &mut [Lane] {
        &mut self.values
    }

    /// A row without the zeros at its end.
    pub(crate) fn numbers(&self, i: usize) -> &[f64] {
        &self.row(i).as_flattened()[..self.columns]
    }

    pub(crate) fn numbers_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.values[i * self.lanes..][..self.lanes].as_flattened_mut()[..self.columns]
    }

    /// Changes each row, given its number. Rows may be on different threads.
    pub(crate) fn for_each_row(&mut self, f: impl Fn(usize, &mut [f64]) + Sync) {
        let (columns, lanes) = (self.columns, self.lanes);
        self.values.par_chunks_mut(BLOCK * lanes).enumerate().for_each(|(block, rows)| {
            for (i, row) in rows.chunks_exact_mut(lanes).enumerate() {
                f(block * BLOCK + i, &mut row.as_flattened_mut()[..columns]);
            }
        });
    }

    /// The sum of each column, the rows in their order.
    pub(crate) fn column_sums(&self) -> Vec<f64> {
        let mut sums = vec![ZERO; self.lanes];
        for row in self.values.chunks_exact(self.lanes) {
            for (sums, lane) in sums.iter_mut().zip(row) {
                for (sum, value) in sums.iter_mut().zip(lane) {
                    *sum += value;
                }
            }
        }
        sums.as_flattened()[..self.columns].to_vec()
    }

    /// Rows x columns.
    pub(crate) fn to_matrix(&self) -> DMatrix<f64> {
        let rows: Vec<&[f64]> = (0..self.rows()).map(|i| self.numbers(i)).collect();
        DMatrix::from_fn(self.rows(), self.columns, |i, j| rows[i][j])
    }

    /// Columns x rows: each row is a contiguous column.
    pub(crate) fn to_transposed(&self) -> DMatrix<f64> {
        let numbers = (0..self.rows()).flat_map(|i| self.numbers(i).iter().copied());
        DMatrix::from_iterator(self.columns, self.rows(), numbers)
    }

    /// The rows of a matrix.
    pub(crate) fn of_matrix(matrix: &DMatrix<f64>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
    }

    /// The columns of a matrix.
    pub(crate) fn of_transposed(matrix: &DMatrix<f64>) -> Self {
        Self::from_fn(matrix.ncols(), matrix.nrows(), |i, j| matrix[(j, i)])
    }

    /// The same rows with these columns, in this order.
    pub(crate) fn select_columns(&self, order: &[usize]) -> Self {
        Self::from_fn(self.rows(), order.len(), |i, j| self.numbers(i)[order[j]])
    }

    /// The sums over the rows of the products of two columns, for all columns: columns x columns.
    pub(crate) fn gram(&self) -> Self {
        let blocks = self.values.par_chunks(BLOCK * self.lanes).map(|rows| {
            let mut gram = Self::zeros(self.columns, self.columns);
            Arch::new().dispatch(Gram { rows, gram: &mut gram });
            gram
        });
        let mut sum = Self::zeros(self.columns, self.columns);
        // In the order of the blocks, whoever was ready first.
        for gram in blocks.collect::<Vec<Self>>() {
            add_scaled(&mut sum.values, 1.0, &gram.values);
        }
        sum
    }
}

/// As the matrix of its numbers.
impl Serialize for FactorRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written::serialize(&self.to_matrix(), serializer)
    }
}

impl<'de> Deserialize<'de> for FactorRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let matrix: DMatrix<f64> = written::deserialize(deserializer)?;
        Ok(Self::of_matrix(&matrix))
    }
}

/// The inner products of the columns of some rows.
struct Gram<'a> {
    rows: &'a [Lane],
    gram: &'a mut FactorRows,
}

impl WithSimd for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (columns, lanes) = (self.gram.columns, self.gram.lanes);
        for row in self.rows.chunks_exact(lanes) {
            for (sums, &factor) in
                self.gram.values.chunks_exact_mut(lanes).zip(&row.as_flattened()[..columns])
            {
                add_scaled(sums, factor, row);
            }
        }
    }
}

/// `to + factor x from`.
#[inline(always)]
pub(crate) fn add_scaled(to: &mut [Lane], factor: f64, from: &[Lane]) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += factor * from;
        }
    }
}

/// The sum of products, lane by lane, and then from the outside in.
#[inline(always)]
pub(crate) fn dot(a: &[Lane], b: &[Lane]) -> f64 {
    let mut sums = ZERO;
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    lane_sum(&sums)
}
