//! The rows of a regression in blocks that fit into the caches: a design is read where it is, and never
//! copied as a whole.

use std::ops::Range;

use posterior_math::linalg::{DMatrix, dot};

use super::LinearData;

/// Rows of a block.
const ROWS: usize = 256;

/// Blocks whose sums are made one after the other. Sums of groups are added in their order, whoever made
/// them.
const GROUP: usize = 64;

/// The data in whitened rows, √(w/σ²) (φ, y - offset - Φ μ).
pub(crate) struct Blocks<'a> {
    data: &'a LinearData<'a>,
    /// y - offset - Φ M, outputs one after the other.
    residual: Vec<f64>,
    noise_variance: f64,
}

impl<'a> Blocks<'a> {
    /// The rows as they differ from what the mean M of the prior, one column for each output, predicts.
    pub(crate) fn new(data: &'a LinearData<'a>, mean: &DMatrix<f64>, noise_variance: f64) -> Self {
        let mut residual = data.response.to_vec();
        if let Some(offset) = data.offset {
            residual.iter_mut().zip(offset).for_each(|(residual, offset)| *residual -= offset);
        }
        let mut blocks = Self { data, residual, noise_variance };
        blocks.subtract(mean);
        blocks
    }

    /// K.
    pub(crate) const fn outputs(&self) -> usize {
        self.data.outputs
    }

    /// Takes Φ Δ off the residuals.
    fn subtract(&mut self, delta: &DMatrix<f64>) {
        let rows = self.data.rows();
        for (residual, delta) in self.residual.chunks_exact_mut(rows.max(1)).zip(delta.column_iter()) {
            for (index, residual) in residual.chunks_mut(ROWS).enumerate() {
                let from = index * ROWS;
                subtract_product(self.data.design, from, delta.as_slice(), residual);
            }
        }
    }

    /// √(w/σ²) of a row.
    fn scale(&self, row: usize) -> f64 {
        (self.data.weight(row) / self.noise_variance).sqrt()
    }

    /// The whitened rows of a range: F columns of features, then K of residuals.
    pub(crate) fn rows(&self, range: Range<usize>) -> DMatrix<f64> {
        let (features, count) = (self.data.features(), range.len());
        let mut block = DMatrix::zeros(count, features + self.outputs());
        let scales: Vec<f64> = range.clone().map(|row| self.scale(row)).collect();
        let rows = self.data.rows();
        for (j, mut column) in block.column_iter_mut().enumerate() {
            let source = if j < features {
                &self.data.design.as_slice()[j * rows..][range.clone()]
            } else {
                &self.residual[(j - features) * rows..][range.clone()]
            };
            for ((value, source), scale) in column.as_mut_slice().iter_mut().zip(source).zip(&scales) {
                *value = source * scale;
            }
        }
        block
    }

    /// Ranges of rows of about this size, at least one block.
    pub(crate) fn ranges(&self, at_least: usize) -> impl Iterator<Item = Range<usize>> {
        let (rows, step) = (self.data.rows(), at_least.max(ROWS));
        (0..rows).step_by(step).map(move |from| from..(from + step).min(rows))
    }

    /// The sum of a function of ranges of rows, which adds to a matrix of this size.
    fn sum(
        &self,
        size: (usize, usize),
        add: impl Fn(Range<usize>, &mut DMatrix<f64>) + Sync,
    ) -> DMatrix<f64> {
        let rows = self.data.rows();
        let groups = rows.div_ceil(ROWS * GROUP);
        let group = |index: usize| {
            let mut sum = DMatrix::zeros(size.0, size.1);
            let end = ((index + 1) * ROWS * GROUP).min(rows);
            for from in (index * ROWS * GROUP..end).step_by(ROWS) {
                add(from..(from + ROWS).min(end), &mut sum);
            }
            sum
        };
        #[cfg(feature = "rayon")]
        let sums: Vec<DMatrix<f64>> = {
            use rayon::prelude::*;
            (0..groups).into_par_iter().map(group).collect()
        };
        #[cfg(not(feature = "rayon"))]
        let sums = (0..groups).map(group);
        sums.into_iter().fold(DMatrix::zeros(size.0, size.1), |total, sum| total + sum)
    }

    /// The inner products of all whitened columns: Φᵀ W Φ, and Φᵀ W R beside it.
    pub(crate) fn gram(&self) -> DMatrix<f64> {
        let width = self.data.features() + self.outputs();
        self.sum((width, width), |range, sum| {
            *sum += posterior_math::linalg::gram_of_columns(&self.rows(range));
        })
    }

    /// [Φ, R - Φ Δ]ᵀ W (R - Φ Δ): the gradient by the weights, and the squares of the residuals.
    pub(crate) fn residual_products(&self, delta: &DMatrix<f64>) -> DMatrix<f64> {
        let (features, outputs, rows) = (self.data.features(), self.outputs(), self.data.rows());
        self.sum((features + outputs, outputs), |range, sum| {
            let mut left = DMatrix::zeros(range.len(), outputs);
            for (k, mut left) in left.column_iter_mut().enumerate() {
                let left = left.as_mut_slice();
                left.copy_from_slice(&self.residual[k * rows..][range.clone()]);
                subtract_product(self.data.design, range.start, delta.column(k).as_slice(), left);
            }
            let mut weighted = left.clone();
            for mut column in weighted.column_iter_mut() {
                for (value, row) in column.iter_mut().zip(range.clone()) {
                    *value *= self.data.weight(row) / self.noise_variance;
                }
            }
            for (k, weighted) in weighted.column_iter().enumerate() {
                let weighted = weighted.as_slice();
                for j in 0..features {
                    sum[(j, k)] += dot(&self.data.design.as_slice()[j * rows..][range.clone()], weighted);
                }
                for (j, left) in left.column_iter().enumerate() {
                    sum[(features + j, k)] += dot(left.as_slice(), weighted);
                }
            }
        })
    }
}

/// r := r - Φ δ for the rows of r, from the row `from` on.
fn subtract_product(design: &DMatrix<f64>, from: usize, delta: &[f64], residual: &mut [f64]) {
    let rows = design.nrows();
    for (j, &delta) in delta.iter().enumerate() {
        if delta != 0.0 {
            let column = &design.as_slice()[j * rows + from..][..residual.len()];
            residual.iter_mut().zip(column).for_each(|(residual, value)| *residual -= delta * value);
        }
    }
}
