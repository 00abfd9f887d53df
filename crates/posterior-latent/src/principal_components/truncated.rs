//! The leading singular values by random projection.

use posterior_math::linalg::{DMatrix, multiply};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::centred::{orient, scale_of};
use super::operator::LinearOperator;
use super::singular::Both;
use crate::error::Error;

/// How to find leading singular values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncatedOptions {
    /// Random directions beyond those wanted. 10 by default.
    pub oversampling: usize,
    /// How often A Aᵀ is applied: each time, what is not wanted shrinks by the square of its ratio to what
    /// is. 4 by default.
    pub power_iterations: usize,
}

impl Default for TruncatedOptions {
    fn default() -> Self {
        Self { oversampling: 10, power_iterations: 4 }
    }
}

/// The leading part U Σ Vᵀ of a matrix: the nearest one of its rank, nearly.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TruncatedSvd {
    /// U: orthonormal columns, one row for each row.
    pub left: DMatrix<f64>,
    /// Σ, descending.
    pub values: Vec<f64>,
    /// V: orthonormal columns, one row for each column. The largest number of each column is positive.
    pub right: DMatrix<f64>,
}

impl TruncatedSvd {
    /// The matrix U Σ: what stands for each row.
    pub fn scores(&self) -> DMatrix<f64> {
        let mut scores = self.left.clone();
        for (mut column, &value) in scores.column_iter_mut().zip(&self.values) {
            column *= value;
        }
        scores
    }
}

/// The leading singular values and vectors of an operator (Halko, Martinsson and Tropp, SIAM Review 53,
/// 2011).
///
/// The error of the approximation is near that of the best of its rank; each power iteration brings it
/// nearer, at the price of two products with the operator. Fewer values come back where the rank is lower.
/// Values down to about ε times the largest to the power 1/(2 q + 1), after q power iterations, can be
/// distinguished from 0. 2 q + 2 products with `rank` + `oversampling` vectors, and O((rows + columns)(rank +
/// oversampling)²) besides.
///
/// # Errors
/// If a product is not finite.
pub fn truncated_svd<A: LinearOperator + ?Sized, R: Rng + ?Sized>(
    operator: &A,
    rank: usize,
    options: &TruncatedOptions,
    rng: &mut R,
) -> Result<TruncatedSvd, Error> {
    let (rows, columns) = operator.shape();
    let size = (rank.saturating_add(options.oversampling)).min(rows).min(columns);
    let directions = DMatrix::from_fn(columns, size, |_, _| StandardNormal.sample(rng));
    let mut space = orthonormal(operator.apply(&directions));
    for _ in 0..options.power_iterations {
        let back = orthonormal(operator.apply_transpose(&space));
        space = orthonormal(operator.apply(&back));
    }
    let mut images = operator.apply_transpose(&space);
    // In a unit near 1, whose squares have room.
    let scale = scale_of(&images);
    images *= scale;
    // A is nearly Q (AᵀQ)ᵀ: of AᵀQ, left and right change places.
    let Both { left: right, mut values, right: turn } = Both::of_tall(&images)?;
    let kept = values.iter().take(rank).filter(|&&value| value > 0.0).count();
    values.truncate(kept);
    for value in &mut values {
        *value /= scale;
    }
    let mut right = right.columns(0, kept).into_owned();
    let mut left = multiply(&space, &turn.columns(0, kept).into_owned());
    for (mut column, turned) in left.column_iter_mut().zip(orient(&mut right)) {
        if turned {
            column.neg_mut();
        }
    }
    Ok(TruncatedSvd { left, values, right })
}

/// An orthonormal basis of the columns, by Gram and Schmidt, each column twice; 0 for columns within those
/// before.
fn orthonormal(mut columns: DMatrix<f64>) -> DMatrix<f64> {
    columns *= scale_of(&columns);
    for j in 0..columns.ncols() {
        let before = columns.column(j).norm();
        for _ in 0..2 {
            for i in 0..j {
                let proportion = columns.column(i).dot(&columns.column(j));
                let (basis, mut rest) = columns.columns_range_pair_mut(i, j);
                rest.axpy(-proportion, &basis, 1.0);
            }
        }
        let norm = columns.column(j).norm();
        let within = !(norm > 1e-14 * before);
        columns.column_mut(j).scale_mut(if within { 0.0 } else { 1.0 / norm });
    }
    columns
}
