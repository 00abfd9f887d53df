//! Elimination with partial pivoting, for the small systems inside of other algorithms.

use nalgebra::DMatrix;

use super::triangular::upper_vector;
use super::vector::subtract_multiple;

/// P A = L U, with the unit lower triangle and U in one matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lu {
    factors: DMatrix<f64>,
    /// Row k changed places with row `swaps[k]` in step k.
    swaps: Vec<usize>,
}

impl Lu {
    /// The factors of a square matrix, unless a pivot is zero, infinite or NaN.
    pub(super) fn new(mut matrix: DMatrix<f64>) -> Option<Self> {
        let n = matrix.nrows();
        let mut swaps = Vec::with_capacity(n);
        for k in 0..n {
            let pivot = k + matrix.column(k).rows_range(k..).iamax();
            matrix.swap_rows(k, pivot);
            swaps.push(pivot);
            let (left, right) = matrix.as_mut_slice().split_at_mut((k + 1) * n);
            let column = &mut left[k * n + k..];
            let (&mut value, below) = column.split_first_mut()?;
            if value == 0.0 || !value.is_finite() {
                return None;
            }
            for entry in below.iter_mut() {
                *entry /= value;
            }
            for other in right.chunks_exact_mut(n) {
                let (head, tail) = other.split_at_mut(k + 1);
                subtract_multiple(tail, head[k], below);
            }
        }
        Some(Self { factors: matrix, swaps })
    }

    /// B := A⁻¹ B for as many rows as A has.
    pub(super) fn solve_in_place(&self, b: &mut DMatrix<f64>) {
        let n = self.swaps.len();
        for column in b.as_mut_slice().chunks_exact_mut(n.max(1)) {
            self.solve_slice_in_place(column);
        }
    }

    /// b := A⁻¹ b.
    pub(super) fn solve_slice_in_place(&self, b: &mut [f64]) {
        for (k, &other) in self.swaps.iter().enumerate() {
            b.swap(k, other);
        }
        for (k, column) in self.factors.as_slice().chunks_exact(b.len().max(1)).enumerate() {
            let (head, tail) = b.split_at_mut(k + 1);
            subtract_multiple(tail, head[k], &column[k + 1..]);
        }
        upper_vector(&self.factors, b);
    }

    /// A⁻¹.
    pub(super) fn inverse(&self) -> DMatrix<f64> {
        let n = self.swaps.len();
        let mut inverse = DMatrix::identity(n, n);
        self.solve_in_place(&mut inverse);
        inverse
    }

    /// ln |det A| and the sign of det A.
    pub(super) fn ln_determinant(&self) -> (f64, f64) {
        let swaps = self.swaps.iter().enumerate().filter(|&(k, &other)| other != k).count();
        let sign = if swaps % 2 == 0 { 1.0 } else { -1.0 };
        self.factors
            .diagonal()
            .iter()
            .fold((0.0, sign), |(ln, sign), pivot| (ln + pivot.abs().ln(), sign * pivot.signum()))
    }
}
