//! The factorisation itself: a plain loop for small matrices, blocks for large ones.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use nalgebra::DMatrix;
use pulp::{Arch, Simd, WithSimd};

use crate::linalg::engine;
use crate::linalg::error::MatrixError;
use crate::linalg::vector::{column, four_columns, subtract_four, subtract_multiple};

/// From this many rows the loop gets the widest vectors of the machine.
const VECTORS_FROM: usize = 8;

/// From this many rows the blocked kernels are faster than the loop.
const BLOCKED_FROM: usize = 80;

/// Replaces `matrix` by its factor, with zeros above the diagonal. Only the lower triangle is read.
pub(super) fn factor_in_place(matrix: &mut DMatrix<f64>) -> Result<(), MatrixError> {
    let (rows, columns) = matrix.shape();
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    let outcome = if rows < VECTORS_FROM {
        factor_columns(matrix.as_mut_slice(), rows)
    } else if rows < BLOCKED_FROM {
        factor_panel(matrix.as_mut_slice(), rows)
    } else {
        engine::cholesky_in_place(matrix)
    };
    if let Err(pivot) = outcome {
        return Err(MatrixError::NotPositiveDefinite { pivot, value: matrix[(pivot, pivot)] });
    }
    matrix.fill_upper_triangle(0.0, 1);
    Ok(())
}

/// [`factor_columns`] by the vectors of the machine.
pub(in crate::linalg) fn factor_panel(panel: &mut [f64], rows: usize) -> Result<(), usize> {
    Arch::new().dispatch(Factor { matrix: panel, n: rows })
}

/// [`factor_columns`] for the vectors of the machine: a closure might not be inlined.
struct Factor<'a> {
    matrix: &'a mut [f64],
    n: usize,
}

impl WithSimd for Factor<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        factor_columns(self.matrix, self.n)
    }
}

/// The first columns of a factor, with `n` rows: all of them for a square matrix.
///
/// Column by column, each one corrected by all columns on its left, four at a time. On failure the pivot is
/// on the diagonal.
#[inline(always)]
fn factor_columns(matrix: &mut [f64], n: usize) -> Result<(), usize> {
    for j in 0..matrix.len() / n.max(1) {
        let (left, right) = matrix.split_at_mut(j * n);
        let column = &mut right[j..n];
        subtract_columns(column, left, n, j);
        let pivot = column[0];
        if !(pivot > 0.0 && pivot < f64::INFINITY) {
            return Err(j);
        }
        let root = pivot.sqrt();
        let reciprocal = 1.0 / root;
        for entry in column.iter_mut() {
            *entry *= reciprocal;
        }
        column[0] = root;
    }
    Ok(())
}

/// lⱼ := lⱼ - Σₖ lⱼₖ lₖ for the columns k on the left, from row j on.
#[inline(always)]
fn subtract_columns(target: &mut [f64], left: &[f64], n: usize, j: usize) {
    let mut k = 0;
    while k + 4 <= j {
        let [p, q, r, s] = four_columns(left, n, k, j);
        subtract_four(target, [p[0], q[0], r[0], s[0]], [p, q, r, s]);
        k += 4;
    }
    while k < j {
        let column = column(left, n, k, j);
        subtract_multiple(target, column[0], column);
        k += 1;
    }
}
