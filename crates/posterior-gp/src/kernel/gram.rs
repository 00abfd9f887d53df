//! Gram matrices, tile by tile, and the pull-back of gradients through them.

use posterior_math::linalg::{DMatrix, DVector};

use super::{Kernel, Points, Tile};

/// Rows and columns of a tile: its numbers fit into the first cache.
const TILE: usize = 48;

impl Kernel {
    /// K with k(xᵢ, xⱼ) of all pairs of rows.
    pub fn gram(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let n = inputs.nrows();
        let mut gram = DMatrix::zeros(n, n);
        let mut values = vec![0.0; TILE * TILE];
        for (row, column) in starts(n, n).filter(|(row, column)| row >= column) {
            let tile = tile(inputs, row, inputs, column);
            self.covariance().fill(&tile, &mut values[..tile.len()]);
            copy_into(&mut gram, row, column, &tile, &values);
        }
        gram.fill_upper_triangle_with_lower_triangle();
        gram
    }

    /// k(xᵢ, x'ⱼ) of all rows of `inputs` with all rows of `others`.
    pub fn cross(&self, inputs: &DMatrix<f64>, others: &DMatrix<f64>) -> DMatrix<f64> {
        let mut cross = DMatrix::zeros(inputs.nrows(), others.nrows());
        let mut values = vec![0.0; TILE * TILE];
        for (row, column) in starts(inputs.nrows(), others.nrows()) {
            let tile = tile(inputs, row, others, column);
            self.covariance().fill(&tile, &mut values[..tile.len()]);
            copy_into(&mut cross, row, column, &tile, &values);
        }
        cross
    }

    /// k(xᵢ, xᵢ) of each row.
    pub fn diagonal(&self, inputs: &DMatrix<f64>) -> DVector<f64> {
        let all = Points::new(inputs, 0..inputs.nrows());
        DVector::from_fn(inputs.nrows(), |i, _| self.covariance().diagonal(&all.point(i)))
    }

    /// Σ wᵢⱼ ∂k(xᵢ, xⱼ)/∂φ for each parameter on its free scale φ; of the symmetric W only the lower triangle is read.
    ///
    /// No derivative of the Gram matrix is ever stored.
    pub fn gram_gradient(&self, inputs: &DMatrix<f64>, weights: &DMatrix<f64>) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters().len()];
        let n = inputs.nrows();
        for (row, column) in starts(n, n).filter(|(row, column)| row >= column) {
            let tile = tile(inputs, row, inputs, column);
            let twice =
                tile_weights(weights, row, column, &tile, |i, j| if i > j { 2.0 } else { f64::from(i == j) });
            self.covariance().pull_back(&tile, &twice, &mut gradient);
        }
        gradient
    }

    /// Σ wᵢⱼ ∂k(xᵢ, x'ⱼ)/∂φ over all rows of `inputs` and of `others`.
    pub fn cross_gradient(
        &self,
        inputs: &DMatrix<f64>,
        others: &DMatrix<f64>,
        weights: &DMatrix<f64>,
    ) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters().len()];
        for (row, column) in starts(inputs.nrows(), others.nrows()) {
            let tile = tile(inputs, row, others, column);
            let weights = tile_weights(weights, row, column, &tile, |_, _| 1.0);
            self.covariance().pull_back(&tile, &weights, &mut gradient);
        }
        gradient
    }

    /// Σ wᵢ ∂k(xᵢ, xᵢ)/∂φ over all rows.
    pub fn diagonal_gradient(&self, inputs: &DMatrix<f64>, weights: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters().len()];
        for (i, &weight) in weights.iter().enumerate() {
            let point = Points::new(inputs, i..i + 1);
            self.covariance().pull_back(&Tile { rows: point, columns: point }, &[weight], &mut gradient);
        }
        gradient
    }
}

/// The first rows and columns of all tiles.
fn starts(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).step_by(TILE).flat_map(move |column| (0..rows).step_by(TILE).map(move |row| (row, column)))
}

fn tile<'a>(inputs: &'a DMatrix<f64>, row: usize, others: &'a DMatrix<f64>, column: usize) -> Tile<'a> {
    Tile {
        rows: Points::new(inputs, row..(row + TILE).min(inputs.nrows())),
        columns: Points::new(others, column..(column + TILE).min(others.nrows())),
    }
}

fn copy_into(matrix: &mut DMatrix<f64>, row: usize, column: usize, tile: &Tile<'_>, values: &[f64]) {
    for (j, values) in values.chunks_exact(tile.rows.len()).take(tile.columns.len()).enumerate() {
        matrix.column_mut(column + j).as_mut_slice()[row..row + values.len()].copy_from_slice(values);
    }
}

fn tile_weights(
    weights: &DMatrix<f64>,
    row: usize,
    column: usize,
    tile: &Tile<'_>,
    factor: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    let mut scaled = Vec::with_capacity(tile.len());
    for j in column..column + tile.columns.len() {
        scaled.extend((row..row + tile.rows.len()).map(|i| match factor(i, j) {
            0.0 => 0.0,
            factor => factor * weights[(i, j)],
        }));
    }
    scaled
}
