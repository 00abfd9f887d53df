//! Symmetric positive definite matrices.

use super::bijector::{Bijector, check_lengths, times};
use crate::linalg::DMatrix;

/// A d x d matrix A = L Lᵀ from d (d + 1) / 2 free numbers: the rows of the lower triangle of L, one after
/// the other, with the logarithm of the diagonal.
///
/// The constrained point is the whole matrix. J is that of its lower triangle: ln |J| = d ln 2 + Σᵢ (d -
/// i + 2) ln Lᵢᵢ, i from 1. The inverse reads the lower triangle; it is NaN where the matrix is not positive
/// definite. Elements overflow where the logarithm of a diagonal element is above 354.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositiveDefinite {
    size: usize,
}

impl PositiveDefinite {
    /// The map to matrices with `size` rows.
    pub const fn new(size: usize) -> Self {
        Self { size }
    }

    /// L, row after row, zeros above.
    fn factor(self, free: &[f64]) -> Vec<f64> {
        let d = self.size;
        let mut factor = vec![0.0; d * d];
        let mut next = free.iter();
        for i in 0..d {
            for (element, &y) in factor[i * d..=i * d + i].iter_mut().zip(&mut next) {
                *element = y;
            }
            factor[i * d + i] = factor[i * d + i].exp();
        }
        factor
    }
}

/// The index of the diagonal element of row `i` among the rows of a lower triangle.
const fn diagonal(i: usize) -> usize {
    i * (i + 3) / 2
}

impl Bijector for PositiveDefinite {
    fn free_dim(&self) -> usize {
        self.size * (self.size + 1) / 2
    }

    fn constrained_dim(&self) -> usize {
        self.size * self.size
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        let d = self.size;
        let factor = self.factor(free);
        for i in 0..d {
            for j in 0..=i {
                let rows = factor[i * d..].iter().zip(&factor[j * d..=j * d + j]);
                let element: f64 = rows.map(|(a, b)| times(*a, *b)).sum();
                constrained[i * d + j] = element;
                constrained[j * d + i] = element;
            }
        }
        let diagonals: f64 = (0..d).map(|i| (d + 1 - i) as f64 * free[diagonal(i)]).sum();
        diagonals + d as f64 * std::f64::consts::LN_2
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let d = self.size;
        let Some(factor) = DMatrix::from_row_slice(d, d, constrained).cholesky() else {
            free.fill(f64::NAN);
            return;
        };
        let factor = factor.unpack();
        let rows = (0..d).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for (y, (i, j)) in free.iter_mut().zip(rows) {
            *y = if i == j { factor[(i, j)].ln() } else { factor[(i, j)] };
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        let d = self.size;
        let factor = self.factor(free);
        let mut next = free_gradient.iter_mut();
        for i in 0..d {
            for (j, out) in (0..=i).zip(&mut next) {
                // L̄ = (G + Gᵀ) L
                let column =
                    (j..d).map(|k| times(gradient[i * d + k] + gradient[k * d + i], factor[k * d + j]));
                let adjoint: f64 = column.sum();
                *out = if i == j {
                    times(adjoint, factor[i * d + i]) + volume * (d + 1 - i) as f64
                } else {
                    adjoint
                };
            }
        }
    }
}
