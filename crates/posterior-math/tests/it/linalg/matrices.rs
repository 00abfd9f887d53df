//! Random matrices, and how far apart two matrices are.

use posterior_math::linalg::{DMatrix, DVector};

/// Numbers in (-1, 1) from a linear congruence: the same on every machine.
#[derive(Debug)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(super) fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.next())
    }

    pub(super) fn vector(&mut self, length: usize) -> DVector<f64> {
        DVector::from_fn(length, |_, _| self.next())
    }

    /// B Bᵀ + I n / 10: condition about 10.
    pub(super) fn positive_definite(&mut self, size: usize) -> DMatrix<f64> {
        let b = self.matrix(size, size);
        &b * b.transpose() + DMatrix::identity(size, size) * (0.1 * size as f64)
    }
}

/// max |aᵢⱼ - bᵢⱼ| / max |bᵢⱼ|.
#[track_caller]
pub(super) fn distance(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    if a.is_empty() || a == b { 0.0 } else { (a - b).amax() / b.amax() }
}

#[track_caller]
pub(super) fn assert_near(a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) {
    let error = distance(a, b);
    assert!(error <= tolerance, "distance {error:.2e} > {tolerance:.0e}");
}

#[track_caller]
pub(super) fn assert_near_vector(a: &DVector<f64>, b: &DVector<f64>, tolerance: f64) {
    assert_near(
        &DMatrix::from_column_slice(a.len(), 1, a.as_slice()),
        &DMatrix::from_column_slice(b.len(), 1, b.as_slice()),
        tolerance,
    );
}

/// A matrix by its rows.
pub(super) fn from_rows(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows.first().map_or(0, Vec::len), |i, j| rows[i][j])
}
