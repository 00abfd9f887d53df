//! The first times of the smoother, after a start of which part is diffuse.
//!
//! The coordinates of the state are (z, β); the filter has linked those of each time to those of the next.

use posterior_math::linalg::{DMatrix, DVector};

use super::SmoothedCovariances;
use crate::Filtered;
use crate::filter::{Covariances, DiffuseStep, Link, compressed};

/// The link to each time but the first, the last first, with its time.
fn links(diffuse: &[DiffuseStep]) -> impl Iterator<Item = (usize, &Link)> {
    diffuse.iter().enumerate().rev().filter_map(|(t, step)| step.link.as_ref().map(|link| (t, link)))
}

/// [F D] at time `t`.
fn basis(filter: &Covariances, t: usize) -> DMatrix<f64> {
    let n = filter.steps.n;
    let directions = &filter.diffuse[t].directions;
    let root = DMatrix::from_column_slice(n, n, filter.steps.filtered(t));
    let mut basis = root.resize_horizontally(n + directions.ncols(), 0.0);
    basis.columns_mut(n, directions.ncols()).copy_from(directions);
    basis
}

/// Adds the distributions at the times before the last at which something was diffuse; `root` is that of the
/// coordinates then.
pub(super) fn covariances(filter: &Covariances, mut root: DMatrix<f64>, found: &mut SmoothedCovariances) {
    let n = filter.steps.n;
    for (t, link) in links(&filter.diffuse) {
        let later = basis(filter, t) * &root;
        let moved = &link.response * &root;
        let basis = basis(filter, t - 1);
        found.lag_ones.extend_from_slice((later * (&basis * &moved).transpose()).as_slice());
        let (own, others) = (moved.ncols(), link.spread.ncols());
        let mut stacked = moved.resize_horizontally(own + others, 0.0);
        stacked.columns_mut(own, others).copy_from(&link.spread);
        root = compressed(stacked);
        let distribution = compressed(&basis * &root).resize_horizontally(n, 0.0);
        found.numbers.push((found.distributions.len() / (n * n)) as u32);
        found.links.push(0);
        found.distributions.extend_from_slice(distribution.as_slice());
    }
}

/// Adds what all observations say to the means of these times; `shift` is that of the coordinates at the last
/// of them.
pub(super) fn means(filter: &Covariances, filtered: &Filtered, mut shift: DVector<f64>, means: &mut [f64]) {
    let (n, m) = (filtered.states(), filtered.width());
    for (t, link) in links(&filter.diffuse) {
        let row = &filtered.means().whitened[t * m..(t + 1) * m];
        let seen: Vec<f64> = row.iter().copied().filter(|value| !value.is_nan()).collect();
        shift = &link.response * shift + &link.innovations * DVector::from_vec(seen);
        let added = basis(filter, t - 1) * &shift;
        for (entry, added) in means[(t - 1) * n..t * n].iter_mut().zip(&added) {
            *entry += added;
        }
    }
}
