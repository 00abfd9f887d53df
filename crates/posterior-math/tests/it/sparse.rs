//! Sparse symmetric matrices against dense ones, closed forms, edges and misuse.

mod factors;
mod matrices;
mod misuse;
mod updates;

use posterior_math::linalg::DMatrix;
use posterior_math::sparse::{Ordering, SparseSymmetric};
use proptest::collection::vec;
use proptest::prelude::*;

/// The Laplacian of a grid of any dimension plus a multiple of the identity, and where its nodes lie.
pub(crate) fn grid(shape: &[usize], shift: f64) -> (SparseSymmetric, Vec<Vec<f64>>) {
    let n: usize = shape.iter().product();
    let mut triplets = Vec::new();
    let mut points = Vec::new();
    for index in 0..n {
        let (mut rest, mut stride, mut point) = (index, 1, Vec::new());
        triplets.push((index, index, shift));
        for &length in shape {
            let at = rest % length;
            point.push(at as f64);
            if at + 1 < length {
                let next = index + stride;
                triplets.extend([(index, index, 1.0), (next, next, 1.0), (next, index, -1.0)]);
            }
            rest /= length;
            stride *= length;
        }
        points.push(point);
    }
    (SparseSymmetric::from_triplets(n, triplets).unwrap(), points)
}

/// Random positive definite matrices of up to 40 rows: some entries, and diagonals that dominate; then scaled
/// by powers of ten.
pub(crate) fn positive_definite() -> impl Strategy<Value = SparseSymmetric> {
    (1_usize..40).prop_flat_map(|n| {
        let entries = vec((0..n, 0..n, -1.0..1.0), 0..4 * n);
        (entries, vec(-3..4_i32, n)).prop_map(move |(entries, powers)| {
            let mut sums = vec![0.1; n];
            let mut triplets: Vec<(usize, usize, f64)> = Vec::new();
            for &(i, j, value) in entries.iter().filter(|entry| entry.0 != entry.1) {
                let value: f64 = value;
                triplets.push((i, j, value));
                sums[i] += value.abs();
                sums[j] += value.abs();
            }
            triplets.extend(sums.iter().enumerate().map(|(i, &sum)| (i, i, sum)));
            let scale = |i: usize| 10_f64.powi(powers[i]);
            let scaled = triplets.into_iter().map(|(i, j, value)| (i, j, value * scale(i) * scale(j)));
            SparseSymmetric::from_triplets(n, scaled).unwrap()
        })
    })
}

/// All orders that need nothing but the matrix.
pub(crate) fn orderings(n: usize) -> Vec<Ordering> {
    vec![
        Ordering::MinimumDegree,
        Ordering::Natural,
        Ordering::Given((0..n).rev().collect()),
        Ordering::Dissection((0..n).map(|i| vec![(i * 7 % 11) as f64, i as f64]).collect()),
    ]
}

/// The largest difference, each divided by the geometric mean of the diagonal entries of its row and column.
pub(crate) fn scaled_difference(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    let scale = b.diagonal().map(|entry| entry.abs().sqrt());
    let mut worst = 0.0_f64;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            worst = worst.max((a[(i, j)] - b[(i, j)]).abs() / (scale[i] * scale[j]));
        }
    }
    worst
}
