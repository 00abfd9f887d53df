//! Clusters without rows.

use super::frame::Rows;
use super::kernel::squared_distance;
use crate::error::Error;

/// Puts the centre of each cluster without weight at the row that costs most, and that row into the cluster;
/// gives the rows.
///
/// A row costs its weight times its squared distance to its centre, or to a centre that was just put nearer.
/// It is taken from a cluster that keeps another. So J falls by what the row costs. Where every row lies at a
/// centre, there are fewer different rows than centres.
///
/// # Errors
/// If there are fewer different rows of positive weight than centres.
pub(super) fn reseed(
    rows: &Rows,
    weights: &[f64],
    centres: &mut [f64],
    labels: &mut [u32],
) -> Result<Vec<usize>, Error> {
    let d = rows.dimension;
    let mut placed = Vec::new();
    if weights.iter().all(|&weight| weight > 0.0) {
        return Ok(placed);
    }
    let mut sizes = vec![0_usize; weights.len()];
    let mut costs = Vec::with_capacity(labels.len());
    for (i, &label) in labels.iter().enumerate() {
        let centre = &centres[label as usize * d..][..d];
        costs.push(rows.weight(i) * squared_distance(rows.row(i), centre));
        sizes[label as usize] += usize::from(rows.weight(i) > 0.0);
    }
    for (empty, _) in weights.iter().enumerate().filter(|&(_, &weight)| !(weight > 0.0)) {
        let mut farthest: Option<usize> = None;
        for (i, &cost) in costs.iter().enumerate() {
            let free = cost > 0.0 && sizes[labels[i] as usize] > 1;
            if free && farthest.is_none_or(|best| cost > costs[best]) {
                farthest = Some(i);
            }
        }
        let taken = farthest.ok_or_else(|| rows.too_few(weights.len()))?;
        sizes[labels[taken] as usize] -= 1;
        sizes[empty] = 1;
        labels[taken] = empty as u32;
        centres[empty * d..][..d].copy_from_slice(rows.row(taken));
        for (i, cost) in costs.iter_mut().enumerate() {
            *cost = cost.min(rows.weight(i) * squared_distance(rows.row(i), rows.row(taken)));
        }
        placed.push(taken);
    }
    Ok(placed)
}
