//! Products of matrices.

use nalgebra::DMatrix;

use super::engine;

/// Aᵀ A, symmetric to the last bit.
pub(super) fn gram_of_columns(a: &DMatrix<f64>) -> DMatrix<f64> {
    engine::gram(a)
}
