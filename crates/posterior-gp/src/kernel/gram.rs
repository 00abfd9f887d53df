//! Gram matrices, tile by tile, and the pull-back of gradients through them.

use posterior_math::linalg::{DMatrix, DVector};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::{InputTile, Kernel, Tile};

/// Rows and columns of a tile: its numbers fit into the first cache.
const TILE: usize = 48;

impl Kernel {
    /// K with k(xᵢ, xⱼ) of all pairs of rows.
    ///
    /// # Panics
    /// If an input has not as many coordinates as the kernel, which [`check`](Self::check) finds before.
    #[track_caller]
    pub fn gram(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let mut gram = DMatrix::zeros(inputs.nrows(), inputs.nrows());
        self.fill_lower_gram(inputs, &mut gram);
        mirror(&mut gram);
        gram
    }

    /// Writes the lower triangle of K into a matrix, which is all that a Cholesky factor reads; above the
    /// diagonal the matrix may hold anything then.
    ///
    /// # Panics
    /// If the matrix has another size, or an input not as many coordinates as the kernel.
    #[track_caller]
    pub fn fill_lower_gram(&self, inputs: &DMatrix<f64>, gram: &mut DMatrix<f64>) {
        let n = inputs.nrows();
        assert_eq!(gram.shape(), (n, n), "the size of the Gram matrix");
        self.fill_strips(inputs, inputs, gram, |column| column);
    }

    /// k(xᵢ, x'ⱼ) of all rows of `inputs` with all rows of `others`.
    ///
    /// # Panics
    /// If an input has not as many coordinates as the kernel, or the two have different numbers of them.
    #[track_caller]
    pub fn cross(&self, inputs: &DMatrix<f64>, others: &DMatrix<f64>) -> DMatrix<f64> {
        let mut cross = DMatrix::zeros(inputs.nrows(), others.nrows());
        self.fill_strips(inputs, others, &mut cross, |_| 0);
        cross
    }

    /// k(xᵢ, xᵢ) of each row.
    ///
    /// # Panics
    /// If an input has not as many coordinates as the kernel.
    #[track_caller]
    pub fn diagonal(&self, inputs: &DMatrix<f64>) -> DVector<f64> {
        self.assert_dimension(inputs);
        let mut diagonal = DVector::zeros(inputs.nrows());
        self.covariance().diagonal(&InputTile::all(inputs), diagonal.as_mut_slice());
        diagonal
    }

    /// Σ wᵢⱼ ∂k(xᵢ, xⱼ)/∂φ for each parameter on its free scale φ; of the symmetric W only the lower triangle
    /// is read.
    ///
    /// No derivative of the Gram matrix is ever stored. The order of the sums, and so each bit, is that of
    /// one thread.
    ///
    /// # Panics
    /// If the weights have another size than K, or an input not as many coordinates as the kernel.
    #[track_caller]
    pub fn gram_gradient(&self, inputs: &DMatrix<f64>, weights: &DMatrix<f64>) -> Vec<f64> {
        let n = inputs.nrows();
        assert_eq!(weights.shape(), (n, n), "the size of the weights");
        let below_twice = |column: usize, row: usize, tile: &Tile<'_>, copy: &mut [f64]| {
            copy_weights(weights, column, row, tile, copy);
            if row == column {
                halve_diagonal(tile.rows.len(), copy);
            }
            for weight in copy {
                *weight *= 2.0;
            }
        };
        self.sum_strips(inputs, inputs, |column| column, below_twice)
    }

    /// Σ wᵢⱼ ∂k(xᵢ, x'ⱼ)/∂φ over all rows of `inputs` and of `others`.
    ///
    /// # Panics
    /// If the weights have another size than the matrix of [`cross`](Self::cross), or an input not as many
    /// coordinates as the kernel or the other inputs.
    #[track_caller]
    pub fn cross_gradient(
        &self,
        inputs: &DMatrix<f64>,
        others: &DMatrix<f64>,
        weights: &DMatrix<f64>,
    ) -> Vec<f64> {
        assert_eq!(weights.shape(), (inputs.nrows(), others.nrows()), "the size of the weights");
        let all = |column: usize, row: usize, tile: &Tile<'_>, copy: &mut [f64]| {
            copy_weights(weights, column, row, tile, copy);
        };
        self.sum_strips(inputs, others, |_| 0, all)
    }

    /// Σ wᵢ ∂k(xᵢ, xᵢ)/∂φ over all rows.
    ///
    /// # Panics
    /// Unless there is a weight for each row, with as many coordinates as the kernel.
    #[track_caller]
    pub fn diagonal_gradient(&self, inputs: &DMatrix<f64>, weights: &[f64]) -> Vec<f64> {
        assert_eq!(weights.len(), inputs.nrows(), "a weight for each row");
        self.assert_dimension(inputs);
        let mut gradient = vec![0.0; self.covariance().number_of_parameters()];
        self.covariance().pull_back_diagonal(&InputTile::all(inputs), weights, &mut gradient);
        gradient
    }

    #[track_caller]
    fn assert_dimension(&self, inputs: &DMatrix<f64>) {
        if let Some(dimension) = self.covariance().dimension() {
            assert_eq!(inputs.ncols(), dimension, "coordinates of an input of {self}");
        }
    }

    /// Fills a matrix strip by strip of `TILE` columns, each from the tile of the row that `first` gives.
    #[track_caller]
    fn fill_strips(
        &self,
        inputs: &DMatrix<f64>,
        others: &DMatrix<f64>,
        matrix: &mut DMatrix<f64>,
        first: impl Fn(usize) -> usize + Sync,
    ) {
        self.assert_dimension(inputs);
        self.assert_dimension(others);
        let n = inputs.nrows();
        if matrix.is_empty() {
            return;
        }
        assert_eq!(inputs.ncols(), others.ncols(), "coordinates of an input");
        let fill = |(index, strip): (usize, &mut [f64])| {
            let column = index * TILE;
            let mut values = vec![0.0; TILE * TILE];
            for row in (first(column)..n).step_by(TILE) {
                let tile = tile(inputs, row, others, column);
                let values = &mut values[..tile.len()];
                self.covariance().fill(&tile, values);
                for (target, values) in strip.chunks_exact_mut(n).zip(values.chunks_exact(tile.rows.len())) {
                    target[row..row + values.len()].copy_from_slice(values);
                }
            }
        };
        #[cfg(feature = "rayon")]
        matrix.as_mut_slice().par_chunks_mut(n * TILE).enumerate().for_each(fill);
        #[cfg(not(feature = "rayon"))]
        matrix.as_mut_slice().chunks_mut(n * TILE).enumerate().for_each(fill);
    }

    /// The sum of the pull-backs of all tiles, strip by strip in their order; `weights` writes the weights of
    /// the tile of a column and a row.
    #[track_caller]
    fn sum_strips(
        &self,
        inputs: &DMatrix<f64>,
        others: &DMatrix<f64>,
        first: impl Fn(usize) -> usize + Sync,
        weights: impl Fn(usize, usize, &Tile<'_>, &mut [f64]) + Sync,
    ) -> Vec<f64> {
        self.assert_dimension(inputs);
        self.assert_dimension(others);
        if !inputs.is_empty() && !others.is_empty() {
            assert_eq!(inputs.ncols(), others.ncols(), "coordinates of an input");
        }
        let parameters = self.covariance().number_of_parameters();
        let strip = |index: usize| {
            let mut gradient = vec![0.0; parameters];
            let mut scaled = vec![0.0; TILE * TILE];
            let column = index * TILE;
            for row in (first(column)..inputs.nrows()).step_by(TILE) {
                let tile = tile(inputs, row, others, column);
                let scaled = &mut scaled[..tile.len()];
                weights(column, row, &tile, scaled);
                self.covariance().pull_back(&tile, scaled, &mut gradient);
            }
            gradient
        };
        let strips = others.nrows().div_ceil(TILE);
        #[cfg(feature = "rayon")]
        let gradients: Vec<Vec<f64>> = (0..strips).into_par_iter().map(strip).collect();
        #[cfg(not(feature = "rayon"))]
        let gradients = (0..strips).map(strip);
        let mut sum = vec![0.0; parameters];
        for gradient in gradients {
            for (sum, term) in sum.iter_mut().zip(gradient) {
                *sum += term;
            }
        }
        sum
    }
}

fn tile<'a>(inputs: &'a DMatrix<f64>, row: usize, others: &'a DMatrix<f64>, column: usize) -> Tile<'a> {
    Tile {
        rows: InputTile::new(inputs, row..(row + TILE).min(inputs.nrows())),
        columns: InputTile::new(others, column..(column + TILE).min(others.nrows())),
    }
}

/// The weights of a tile, column by column.
fn copy_weights(weights: &DMatrix<f64>, column: usize, row: usize, tile: &Tile<'_>, copy: &mut [f64]) {
    let rows = tile.rows.len();
    for (j, copy) in copy.chunks_exact_mut(rows).enumerate() {
        let start = (column + j) * weights.nrows() + row;
        copy.copy_from_slice(&weights.as_slice()[start..start + rows]);
    }
}

/// Of a tile on the diagonal: nothing above it, and half of what is on it.
fn halve_diagonal(rows: usize, weights: &mut [f64]) {
    for (j, column) in weights.chunks_exact_mut(rows).enumerate() {
        column[..j].fill(0.0);
        column[j] *= 0.5;
    }
}

/// Copies what is below the diagonal to above it, block by block.
fn mirror(matrix: &mut DMatrix<f64>) {
    let n = matrix.nrows();
    let entries = matrix.as_mut_slice();
    for column in (0..n).step_by(TILE) {
        for row in (column..n).step_by(TILE) {
            for i in row..(row + TILE).min(n) {
                for j in column..(column + TILE).min(i) {
                    entries[i * n + j] = entries[j * n + i];
                }
            }
        }
    }
}
