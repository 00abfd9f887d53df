//! Rows and square matrices of weights, padded with zeros to the width of vectors.

use std::array::from_fn;

/// Numbers that are worked on at once.
pub(super) const LANES: usize = 4;

/// So many numbers.
pub(super) type Lane = [f64; LANES];

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
pub(super) fn sum(row: &[Lane]) -> f64 {
    let mut lanes = ZERO;
    for lane in row {
        for l in 0..LANES {
            lanes[l] += lane[l];
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
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
    pub(super) fn multiply(&self, row: &[Lane], product: &mut [Lane]) {
        let rows = self.width * LANES;
        let mut rest = &self.panels[..];
        for product in product.chunks_mut(PANEL) {
            let (panel, after) = rest.split_at(rows * product.len());
            rest = after;
            match product.len() {
                1 => product.copy_from_slice(&panel_product::<1, 4>(panel, row)),
                2 => product.copy_from_slice(&panel_product::<2, 4>(panel, row)),
                3 => product.copy_from_slice(&panel_product::<3, 2>(panel, row)),
                4 => product.copy_from_slice(&panel_product::<4, 2>(panel, row)),
                5 => product.copy_from_slice(&panel_product::<5, 1>(panel, row)),
                6 => product.copy_from_slice(&panel_product::<6, 1>(panel, row)),
                7 => product.copy_from_slice(&panel_product::<7, 1>(panel, row)),
                _ => product.copy_from_slice(&panel_product::<PANEL, 1>(panel, row)),
            }
        }
    }
}

/// The row times a panel of P lanes of columns; rows of the panel are taken by turns into so many sets of sums, which hides the
/// time that an addition takes.
#[inline(always)]
pub(super) fn panel_product<const P: usize, const SETS: usize>(panel: &[Lane], row: &[Lane]) -> [Lane; P] {
    let (rows, _) = panel.as_chunks::<P>();
    let (fours, _) = rows.as_chunks::<LANES>();
    let mut sums = [[ZERO; P]; SETS];
    for (x, rows) in row.iter().zip(fours) {
        for r in 0..LANES {
            for p in 0..P {
                for l in 0..LANES {
                    sums[r % SETS][p][l] += x[r] * rows[r][p][l];
                }
            }
        }
    }
    let mut stride = SETS / 2;
    while stride > 0 {
        for set in 0..stride {
            for p in 0..P {
                for l in 0..LANES {
                    sums[set][p][l] += sums[set + stride][p][l];
                }
            }
        }
        stride /= 2;
    }
    sums[0]
}
