//! What the triangle inequality says of rows when centres move (Hamerly, Making k-means even faster, SDM
//! 2010).
//!
//! Elkan's bounds, one for each row and centre, were left out: to carry k bounds for each row costs as much
//! as the vectorised comparison with k centres that they avoid.

use super::kernel::squared_distance;

/// Larger than all rounding of a distance, as a proportion of it.
fn slack(dimension: usize) -> f64 {
    16.0 * (dimension as f64 + 8.0) * f64::EPSILON
}

/// Half the distance of each centre to the next one: rows that are nearer to it have no nearer centre.
pub(super) fn separation(centres: &[f64], dimension: usize) -> Vec<f64> {
    let mut nearest = vec![f64::INFINITY; centres.len() / dimension];
    for (i, a) in centres.chunks_exact(dimension).enumerate() {
        for (j, b) in centres.chunks_exact(dimension).enumerate().take(i) {
            let square = squared_distance(a, b);
            nearest[i] = nearest[i].min(square);
            nearest[j] = nearest[j].min(square);
        }
    }
    nearest.into_iter().map(|square| 0.5 * square.sqrt() * (1.0 - slack(dimension))).collect()
}

/// For each centre, the farthest that another one has moved.
pub(super) fn drift(before: &[f64], after: &[f64], dimension: usize) -> Vec<f64> {
    let moves: Vec<f64> = before
        .chunks_exact(dimension)
        .zip(after.chunks_exact(dimension))
        .map(|(a, b)| squared_distance(a, b).sqrt() * (1.0 + slack(dimension)))
        .collect();
    let (mut farthest, mut first, mut second) = (0, 0.0, 0.0);
    for (j, &moved) in moves.iter().enumerate() {
        if moved > first {
            (farthest, second, first) = (j, first, moved);
        } else if moved > second {
            second = moved;
        }
    }
    (0..moves.len()).map(|j| if j == farthest { second } else { first }).collect()
}
