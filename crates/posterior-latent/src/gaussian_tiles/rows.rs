//! Some rows of a matrix, tile by tile: densities under each component, and moments with given proportions.

use std::ops::Range;

use posterior_math::linalg::DMatrix;
use pulp::Arch;

use super::distances::Distances;
use super::sums::{Accumulate, Sums};
use super::{Component, Lane, Moments, Scatter, TILE};

/// Room for the work on a tile.
struct Tile {
    arch: Arch,
    x: Vec<Lane>,
    deviations: Vec<Lane>,
}

impl Tile {
    fn new(dimension: usize) -> Self {
        let zeros = || vec![[0.0; TILE]; dimension];
        Self { arch: Arch::new(), x: zeros(), deviations: zeros() }
    }

    /// Copies rows, up to as many as a tile has; zeros after them.
    fn load(&mut self, values: &DMatrix<f64>, rows: Range<usize>) {
        let (n, count) = (values.nrows(), rows.len());
        for (j, x) in self.x.iter_mut().enumerate() {
            x[..count].copy_from_slice(&values.as_slice()[j * n + rows.start..][..count]);
            x[count..].fill(0.0);
        }
    }
}

/// The first rows of tiles, with their ends.
fn tiles(rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = rows.end;
    rows.step_by(TILE).map(move |start| start..end.min(start + TILE))
}

/// Writes ln ρ of each component, K numbers for each of these rows, which are complete or hold NaN where they
/// are not finite.
pub(crate) fn ln_densities(
    values: &DMatrix<f64>,
    rows: Range<usize>,
    components: &[Component],
    out: &mut [f64],
) {
    let (k, mut tile) = (components.len(), Tile::new(values.ncols()));
    let mut ln_density = [0.0; TILE];
    for (rows, out) in tiles(rows).zip(out.chunks_mut(TILE * k)) {
        tile.load(values, rows);
        let Tile { arch, x, deviations } = &mut tile;
        for (place, component) in components.iter().enumerate() {
            arch.dispatch(Distances { x, component, deviations, ln_density: &mut ln_density });
            for (out, ln_density) in out.iter_mut().skip(place).step_by(k).zip(&ln_density) {
                *out = *ln_density;
            }
        }
    }
}

/// Adds the moments of these rows, which count `proportions[i K + k]` times in component k; those for which
/// `skip` holds do not count.
pub(crate) fn add_moments(
    values: &DMatrix<f64>,
    rows: Range<usize>,
    components: &[Component],
    proportions: &[f64],
    skip: impl Fn(usize) -> bool,
    (moments, scatter): (&mut [Moments], Scatter),
) {
    let (k, mut tile) = (components.len(), Tile::new(values.ncols()));
    let mut sums: Vec<Sums> = components.iter().map(|_| Sums::zero(values.ncols(), scatter)).collect();
    for (rows, proportions) in tiles(rows).zip(proportions.chunks(TILE * k)) {
        tile.load(values, rows.clone());
        let Tile { arch, x, deviations } = &mut tile;
        let mut weights = [0.0; TILE];
        for (i, row) in rows.enumerate() {
            if skip(row) {
                for x in x.iter_mut() {
                    x[i] = 0.0;
                }
            } else {
                weights[i] = 1.0;
            }
        }
        for (place, (component, sums)) in components.iter().zip(&mut sums).enumerate() {
            let mut proportion = [0.0; TILE];
            for (proportion, given) in proportion.iter_mut().zip(proportions.iter().skip(place).step_by(k)) {
                *proportion = *given;
            }
            let (proportion, centre) = (&proportion, &component.centre);
            arch.dispatch(Accumulate { x, centre, weights: &weights, proportion, deviations, sums });
        }
    }
    for (moments, sums) in moments.iter_mut().zip(&sums) {
        moments.add(&sums.total());
    }
}
