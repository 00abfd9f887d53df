//! Where to put inducing inputs.

use posterior_dist::choose;
use posterior_math::linalg::DMatrix;
use rand::{Rng, RngExt};

use super::GreedyFactor;
use crate::Kernel;

/// At most `count` of the inputs, each the one of the largest variance given the ones before it.
///
/// Fewer, if the rest has no variance left: then they say everything. The choice for a smaller count is the
/// beginning of that for a larger one.
///
/// # References
/// D. R. Burt, C. E. Rasmussen, M. van der Wilk, JMLR 21 (2020), section 4.
pub fn inducing_by_variance(kernel: &Kernel, inputs: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    inputs.select_rows(GreedyFactor::new(kernel, inputs, count, 0.0).pivots())
}

/// At most `count` different ones of the inputs, each drawn with probability proportional to its squared
/// distance from the nearest one before it: the start of k-means++.
///
/// Needs no kernel. Distances are those of the numbers as they are: scale coordinates of different units
/// before.
///
/// # References
/// D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
pub fn inducing_by_distance<R: Rng + ?Sized>(
    inputs: &DMatrix<f64>,
    count: usize,
    rng: &mut R,
) -> DMatrix<f64> {
    let n = inputs.nrows();
    let mut distances = vec![f64::INFINITY; n];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < count.min(n) {
        let next = if chosen.is_empty() {
            rng.random_range(0..n)
        } else {
            let Some(next) = proportional(&distances, rng) else { break };
            next
        };
        chosen.push(next);
        for (distance, row) in distances.iter_mut().zip(inputs.row_iter()) {
            *distance = distance.min((row - inputs.row(next)).norm_squared());
        }
    }
    inputs.select_rows(&chosen)
}

/// An index drawn with probability proportional to its weight; none if all are zero.
fn proportional<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> Option<usize> {
    choose(weights, weights.iter().sum::<f64>() * rng.random::<f64>())
}
