//! Gaussian Markov random fields against dense Gaussians, closed forms and covariances of the literature.

mod areas;
mod dense;
mod matern;
mod time;

use posterior_gaussian::GaussianMarkovField;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use posterior_math::sparse::{Ordering, SparseSymmetric};
use rand::{Rng, RngExt};

/// A precision with about three neighbours for each of n coordinates, in units from 0.1 to 10.
pub(crate) fn random_precision<R: Rng>(n: usize, rng: &mut R) -> SparseSymmetric {
    let scale: Vec<f64> = (0..n).map(|_| 10_f64.powf(rng.random_range(-1.0..1.0))).collect();
    let mut sums = vec![0.2; n];
    let mut entries = Vec::new();
    for _ in 0..2 * n {
        let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
        if i != j {
            let value: f64 = rng.random_range(-1.0..1.0);
            sums[i] += value.abs();
            sums[j] += value.abs();
            entries.push((i, j, value * scale[i] * scale[j]));
        }
    }
    entries.extend(sums.iter().enumerate().map(|(i, sum)| (i, i, sum * scale[i] * scale[i])));
    SparseSymmetric::from_triplets(n, entries).expect("indices are below n")
}

/// The covariance of a field, column by column.
pub(crate) fn covariance(field: &GaussianMarkovField) -> DMatrix<f64> {
    let n = field.dimension();
    let columns: Vec<DVector<f64>> = (0..n).map(|i| DVector::from(field.covariances(i))).collect();
    DMatrix::from_columns(&columns)
}

/// The inverse of a symmetric matrix without its eigenvalues below 1e-9 of the largest, and Σ ln of those
/// that are left, with their number.
pub(crate) fn pseudo_inverse(matrix: &DMatrix<f64>) -> (DMatrix<f64>, f64, usize) {
    let eigen = SymmetricEigen::new(matrix).expect("it converges");
    let largest = eigen.values().amax();
    let (mut inverse, mut ln, mut rank) = (DMatrix::zeros(matrix.nrows(), matrix.nrows()), 0.0, 0);
    for (value, vector) in eigen.values().iter().zip(eigen.vectors().column_iter()) {
        if *value > 1e-9 * largest {
            inverse += vector * vector.transpose() / *value;
            ln += value.ln();
            rank += 1;
        }
    }
    (inverse, ln, rank)
}

#[track_caller]
pub(crate) fn close(own: &DMatrix<f64>, exact: &DMatrix<f64>, tolerance: f64) {
    let worst = (own - exact).amax() / exact.amax();
    assert!(worst < tolerance, "relative difference {worst}");
}

/// The log-density in the subspace of a covariance that is singular, by its eigenvalues.
pub(crate) fn singular_ln_pdf(mean: &DVector<f64>, covariance: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
    let (inverse, ln, rank) = pseudo_inverse(covariance);
    let off = x - mean;
    -0.5 * (rank as f64 * std::f64::consts::TAU.ln() + ln + off.dot(&(inverse * &off)))
}

/// An order that needs nothing.
pub(crate) const ORDER: Ordering = Ordering::MinimumDegree;
