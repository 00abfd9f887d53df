//! Products with Gram matrices that are never formed, and the pull-back of gradients through them.

use std::ops::Range;

use posterior_math::linalg::DMatrix;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::Kernel;
use crate::kernel::{InputTile, Tile};

/// Rows and columns of a tile: its numbers fit into the first cache.
const TILE: usize = 64;

/// Rows that are worked on together, by one thread.
const BAND: usize = 512;

/// k(inputs, others) times `vectors`, in the memory of the result.
pub(super) fn cross_product(
    kernel: &Kernel,
    inputs: &DMatrix<f64>,
    others: &DMatrix<f64>,
    vectors: &DMatrix<f64>,
) -> DMatrix<f64> {
    let bands = map_bands(inputs.nrows(), |rows| {
        let mut band = DMatrix::zeros(rows.len(), vectors.ncols());
        for start in rows.clone().step_by(TILE) {
            let tile_rows = start..(start + TILE).min(rows.end);
            let mut sums = band.rows_mut(start - rows.start, tile_rows.len());
            let mut values = DMatrix::zeros(tile_rows.len(), TILE);
            for column in (0..others.nrows()).step_by(TILE) {
                let columns = column..(column + TILE).min(others.nrows());
                let width = columns.len();
                let tile = Tile {
                    rows: InputTile::new(inputs, tile_rows.clone()),
                    columns: InputTile::new(others, columns),
                };
                kernel.covariance().fill(&tile, &mut values.as_mut_slice()[..tile.len()]);
                sums.gemm(1.0, &values.columns(0, width), &vectors.rows(column, width), 1.0);
            }
        }
        band
    });
    let mut product = DMatrix::zeros(inputs.nrows(), vectors.ncols());
    for (band, start) in bands.iter().zip((0..).step_by(BAND)) {
        product.rows_mut(start, band.nrows()).copy_from(band);
    }
    product
}

/// Σ wᵢⱼ ∂k(xᵢ, xⱼ)/∂φ with W = left rightᵀ, which is never formed; for each parameter on its free scale φ.
pub(super) fn pull_back_outer(
    kernel: &Kernel,
    inputs: &DMatrix<f64>,
    left: &DMatrix<f64>,
    right: &DMatrix<f64>,
) -> Vec<f64> {
    let parameters = kernel.parameters().len();
    let bands = map_bands(inputs.nrows(), |rows| {
        let mut gradient = vec![0.0; parameters];
        for start in rows.clone().step_by(TILE) {
            let height = TILE.min(rows.end - start);
            // The kernel is symmetric: the tiles above the diagonal are those below it.
            for column in (0..=start).step_by(TILE) {
                let width = TILE.min(inputs.nrows() - column);
                let mut weights = left.rows(start, height) * right.rows(column, width).transpose();
                if column < start {
                    weights += right.rows(start, height) * left.rows(column, width).transpose();
                }
                let tile = Tile {
                    rows: InputTile::new(inputs, start..start + height),
                    columns: InputTile::new(inputs, column..column + width),
                };
                kernel.covariance().pull_back(&tile, weights.as_slice(), &mut gradient);
            }
        }
        gradient
    });
    let mut gradient = vec![0.0; parameters];
    for band in bands {
        for (sum, term) in gradient.iter_mut().zip(band) {
            *sum += term;
        }
    }
    gradient
}

/// `work` of each band of rows, in order; on the threads of the pool with the feature `rayon`.
fn map_bands<T: Send>(rows: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let bands = rows.div_ceil(BAND);
    let band = |index: usize| work(index * BAND..((index + 1) * BAND).min(rows));
    #[cfg(feature = "rayon")]
    let results = (0..bands).into_par_iter().map(band).collect();
    #[cfg(not(feature = "rayon"))]
    let results = (0..bands).map(band).collect();
    results
}
