//! The factorisation itself: a plain loop for small matrices, faer for large ones.

use nalgebra::DMatrix;

use crate::linalg::engine;
use crate::linalg::error::MatrixError;
use crate::linalg::vector::subtract_multiple;

/// Below this many rows the plain loop is faster than the blocked kernels.
const BLOCKED_FROM: usize = 16;

/// Replaces `matrix` by its factor, with zeros above the diagonal. Only the lower triangle is read.
pub(super) fn factor_in_place(matrix: &mut DMatrix<f64>) -> Result<(), MatrixError> {
    let (rows, columns) = matrix.shape();
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    let outcome = if rows < BLOCKED_FROM {
        factor_columns(matrix.as_mut_slice(), rows)
    } else {
        engine::cholesky_in_place(matrix)
    };
    if let Err(pivot) = outcome {
        return Err(MatrixError::NotPositiveDefinite { pivot, value: matrix[(pivot, pivot)] });
    }
    matrix.fill_upper_triangle(0.0, 1);
    Ok(())
}

/// Column by column, each one corrected by all columns on its left. On failure the pivot is on the diagonal.
fn factor_columns(matrix: &mut [f64], n: usize) -> Result<(), usize> {
    for j in 0..n {
        let (left, right) = matrix.split_at_mut(j * n);
        let column = &mut right[j..n];
        for other in left.chunks_exact(n) {
            subtract_multiple(column, other[j], &other[j..]);
        }
        let pivot = column[0];
        if !(pivot > 0.0 && pivot < f64::INFINITY) {
            return Err(j);
        }
        let root = pivot.sqrt();
        for entry in column.iter_mut() {
            *entry /= root;
        }
        column[0] = root;
    }
    Ok(())
}
