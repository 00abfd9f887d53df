//! Rows and square matrices of weights, padded with zeros to the width of vectors.

use std::array::from_fn;

use super::vectors::Vectors;
pub(super) use super::vectors::{LANES, Lane};

/// Zeros.
pub(super) const ZERO: Lane = [0.0; LANES];

/// Lanes of a panel: as many columns as sums stay in registers.
pub(super) const PANEL: usize = 8;

/// The lanes that so many states fill.
pub(super) const fn width(states: usize) -> usize {
    states.div_ceil(LANES)
}

/// The sum of all numbers.
#[inline(always)]
pub(super) fn sum<F: Vectors>(f: F, row: &[Lane]) -> f64 {
    let mut lanes = f.splat(0.0);
    for &lane in row {
        lanes = f.add(lanes, f.load(lane));
    }
    let lanes = f.lane(lanes);
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

/// Multiplies by a number.
#[inline(always)]
pub(super) fn scale<F: Vectors>(f: F, row: &mut [Lane], factor: f64) {
    let factor = f.splat(factor);
    for lane in row {
        *lane = f.lane(f.mul(f.load(*lane), factor));
    }
}

/// Multiplies by a row and by a number.
#[inline(always)]
pub(super) fn weigh<F: Vectors>(f: F, row: &mut [Lane], weights: &[Lane], factor: f64) {
    let factor = f.splat(factor);
    for (lane, &weight) in row.iter_mut().zip(weights) {
        *lane = f.lane(f.mul(f.mul(f.load(*lane), f.load(weight)), factor));
    }
}

/// A square matrix, as panels of `PANEL` lanes of columns, each row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Matrix {
    width: usize,
    panels: Vec<Lane>,
}

impl Matrix {
    /// The matrix with these entries.
    pub(super) fn from_fn(states: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut matrix = Self::default();
        matrix.fill(states, entry);
        matrix
    }

    /// Replaces all entries.
    pub(super) fn fill(&mut self, states: usize, entry: impl Fn(usize, usize) -> f64) {
        self.width = width(states);
        let rows = self.width * LANES;
        self.panels.clear();
        for first in (0..self.width).step_by(PANEL) {
            let last = self.width.min(first + PANEL);
            for i in 0..rows {
                self.panels.extend((first..last).map(|lane| -> Lane {
                    from_fn(|l| {
                        let j = lane * LANES + l;
                        if i < states && j < states { entry(i, j) } else { 0.0 }
                    })
                }));
            }
        }
    }

    /// Lanes of a row.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// The entry in row i and column j.
    #[inline(always)]
    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        let lane = j / LANES;
        let first = lane / PANEL * PANEL;
        let columns = (self.width - first).min(PANEL);
        self.panels[first * self.width * LANES + i * columns + (lane - first)][j % LANES]
    }

    /// All entries, for a matrix of a single panel row by row.
    #[inline(always)]
    pub(super) fn panels(&self) -> &[Lane] {
        &self.panels
    }

    /// The row times the matrix.
    #[inline(always)]
    pub(super) fn multiply<F: Vectors>(&self, f: F, row: &[Lane], product: &mut [Lane]) {
        let rows = self.width * LANES;
        let mut rest = &self.panels[..];
        for product in product.chunks_mut(PANEL) {
            let (panel, after) = rest.split_at(rows * product.len());
            rest = after;
            match product.len() {
                1 => product.copy_from_slice(&panel_product::<F, 1, 4>(f, panel, row)),
                2 => product.copy_from_slice(&panel_product::<F, 2, 4>(f, panel, row)),
                3 => product.copy_from_slice(&panel_product::<F, 3, 2>(f, panel, row)),
                4 => product.copy_from_slice(&panel_product::<F, 4, 2>(f, panel, row)),
                5 => product.copy_from_slice(&panel_product::<F, 5, 2>(f, panel, row)),
                6 => product.copy_from_slice(&panel_product::<F, 6, 1>(f, panel, row)),
                7 => product.copy_from_slice(&panel_product::<F, 7, 1>(f, panel, row)),
                _ => product.copy_from_slice(&panel_product::<F, PANEL, 1>(f, panel, row)),
            }
        }
    }
}

/// The row times a panel of P lanes of columns; rows of the panel are taken by turns into so many sets of
/// sums, which hides the time that an addition takes.
#[inline(always)]
pub(super) fn panel_product<F: Vectors, const P: usize, const SETS: usize>(
    f: F,
    panel: &[Lane],
    row: &[Lane],
) -> [Lane; P] {
    let (rows, _) = panel.as_chunks::<P>();
    let (fours, _) = rows.as_chunks::<LANES>();
    let mut sums = [[f.splat(0.0); P]; SETS];
    for (x, rows) in row.iter().zip(fours) {
        for r in 0..LANES {
            let x = f.splat(x[r]);
            for (sum, &weight) in sums[r % SETS].iter_mut().zip(&rows[r]) {
                *sum = f.add(*sum, f.mul(x, f.load(weight)));
            }
        }
    }
    let mut stride = SETS / 2;
    while stride > 0 {
        let (near, far) = sums.split_at_mut(stride);
        for (near, far) in near.iter_mut().flatten().zip(far.iter().flatten()) {
            *near = f.add(*near, *far);
        }
        stride /= 2;
    }
    sums[0].map(|vector| f.lane(vector))
}
