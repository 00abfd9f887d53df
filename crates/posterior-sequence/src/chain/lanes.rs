//! Rows and square matrices of weights, padded with zeros to the width of vectors.

use std::array::from_fn;

use pulp::{Simd, WithSimd};

pub(super) use super::vectors::{LANES, Lane};
use super::vectors::{Portable, Vectors, Wide, with_vectors};

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

/// How messages are combined.
pub(super) trait Semiring {
    /// What a sum of nothing is.
    const NOTHING: f64;

    /// The sum with one product more.
    fn add_product<F: Vectors>(f: F, sum: F::V, x: F::V, weight: F::V) -> F::V;
    fn add<F: Vectors>(f: F, a: F::V, b: F::V) -> F::V;
}

/// Sums of products of weights.
pub(super) struct SumProduct;

impl Semiring for SumProduct {
    const NOTHING: f64 = 0.0;

    #[inline(always)]
    fn add_product<F: Vectors>(f: F, sum: F::V, x: F::V, weight: F::V) -> F::V {
        f.add(sum, f.mul(x, weight))
    }

    #[inline(always)]
    fn add<F: Vectors>(f: F, a: F::V, b: F::V) -> F::V {
        f.add(a, b)
    }
}

/// The largest sums of scores.
pub(super) struct MaxPlus;

impl Semiring for MaxPlus {
    const NOTHING: f64 = f64::NEG_INFINITY;

    #[inline(always)]
    fn add_product<F: Vectors>(f: F, sum: F::V, x: F::V, weight: F::V) -> F::V {
        f.max(sum, f.add(x, weight))
    }

    #[inline(always)]
    fn add<F: Vectors>(f: F, a: F::V, b: F::V) -> F::V {
        f.max(a, b)
    }
}

/// Takes a message along a chain.
pub(super) trait Pass {
    /// What it returns.
    type Output;

    /// Lanes of a message.
    fn width(&self) -> usize;
    /// With all P lanes of a message in registers.
    fn narrow<F: Vectors, const P: usize, const SETS: usize>(self, f: F) -> Self::Output;
    /// With a message of any width.
    fn wide<F: Vectors>(self, f: F) -> Self::Output;
}

/// A pass, compiled for the vectors of the machine and for each width up to that of a panel.
pub(super) struct ByWidth<T>(pub(super) T);

impl<T: Pass> WithSimd for ByWidth<T> {
    type Output = T::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> T::Output {
        let Self(pass) = self;
        with_vectors!(simd, S, |f| match pass.width() {
            1 => pass.narrow::<_, 1, 4>(f),
            2 => pass.narrow::<_, 2, 4>(f),
            3 => pass.narrow::<_, 3, 2>(f),
            4 => pass.narrow::<_, 4, 2>(f),
            5 => pass.narrow::<_, 5, 2>(f),
            6 => pass.narrow::<_, 6, 1>(f),
            7 => pass.narrow::<_, 7, 1>(f),
            PANEL => pass.narrow::<_, PANEL, 1>(f),
            _ => pass.wide(f),
        })
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
    pub(super) fn multiply<F: Vectors, A: Semiring>(&self, f: F, row: &[Lane], product: &mut [Lane]) {
        let rows = self.width * LANES;
        let mut rest = &self.panels[..];
        for product in product.chunks_mut(PANEL) {
            let (panel, after) = rest.split_at(rows * product.len());
            rest = after;
            match product.len() {
                1 => product.copy_from_slice(&panel_product::<F, A, 1, 4>(f, panel, row)),
                2 => product.copy_from_slice(&panel_product::<F, A, 2, 4>(f, panel, row)),
                3 => product.copy_from_slice(&panel_product::<F, A, 3, 2>(f, panel, row)),
                4 => product.copy_from_slice(&panel_product::<F, A, 4, 2>(f, panel, row)),
                5 => product.copy_from_slice(&panel_product::<F, A, 5, 2>(f, panel, row)),
                6 => product.copy_from_slice(&panel_product::<F, A, 6, 1>(f, panel, row)),
                7 => product.copy_from_slice(&panel_product::<F, A, 7, 1>(f, panel, row)),
                _ => product.copy_from_slice(&panel_product::<F, A, PANEL, 1>(f, panel, row)),
            }
        }
    }
}

/// The row times a panel of P lanes of columns; rows of the panel are taken by turns into so many sets of
/// sums, which hides the time that an addition takes.
#[inline(always)]
pub(super) fn panel_product<F: Vectors, A: Semiring, const P: usize, const SETS: usize>(
    f: F,
    panel: &[Lane],
    row: &[Lane],
) -> [Lane; P] {
    let (rows, _) = panel.as_chunks::<P>();
    let (fours, _) = rows.as_chunks::<LANES>();
    let mut sums = [[f.splat(A::NOTHING); P]; SETS];
    for (x, rows) in row.iter().zip(fours) {
        for r in 0..LANES {
            let x = f.splat(x[r]);
            for (sum, &weight) in sums[r % SETS].iter_mut().zip(&rows[r]) {
                *sum = A::add_product(f, *sum, x, f.load(weight));
            }
        }
    }
    let mut stride = SETS / 2;
    while stride > 0 {
        let (near, far) = sums.split_at_mut(stride);
        for (near, far) in near.iter_mut().flatten().zip(far.iter().flatten()) {
            *near = A::add(f, *near, *far);
        }
        stride /= 2;
    }
    sums[0].map(|vector| f.lane(vector))
}
