//! Inner products of the columns of a small block: the inner loop of the information matrix.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::linalg::DMatrix;
use pulp::{Arch, Simd, WithSimd};

use super::observations::GlmData;

/// The rows of a block: its columns stay in the nearest cache while they are used.
pub(super) const BLOCK: usize = 256;

/// The columns of a tile of products. Two tiles of partial sums and what they are made of fit into sixteen
/// vector registers.
const WIDE: usize = 4;
const TALL: usize = 2;

/// Columns of a block of rows, each from a multiple of 8 on and with zeros behind its end; the number of
/// columns is rounded up to that of a tile.
pub(super) struct Block {
    length: usize,
    columns: usize,
    numbers: Vec<f64>,
}

impl Block {
    /// Zeros.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let (length, padded) = (rows.next_multiple_of(8), columns.next_multiple_of(WIDE));
        Self { length, columns, numbers: vec![0.0; length * padded] }
    }

    /// Column number `column` becomes x times `scale`, with zeros behind.
    pub(super) fn set_column(&mut self, column: usize, x: &[f64], scale: &[f64]) {
        let place = &mut self.numbers[column * self.length..(column + 1) * self.length];
        let (used, rest) = place.split_at_mut(x.len());
        for ((place, x), scale) in used.iter_mut().zip(x).zip(scale) {
            *place = x * scale;
        }
        rest.fill(0.0);
    }

    fn column(&self, column: usize) -> &[f64] {
        &self.numbers[column * self.length..(column + 1) * self.length]
    }
}

/// Xᵀ W X for one weight of each row, none negative: both triangles.
pub(crate) fn weighted_gram(data: &GlmData<'_>, weights: &[f64]) -> DMatrix<f64> {
    let columns = data.columns();
    let mut sum = DMatrix::zeros(columns, columns);
    let mut block = Block::new(BLOCK, columns);
    for first in (0..data.rows()).step_by(BLOCK) {
        let rows = first..(first + BLOCK).min(data.rows());
        let roots: Vec<f64> = weights[rows.clone()].iter().map(|weight| weight.sqrt()).collect();
        for column in 0..columns {
            block.set_column(column, &data.column(column)[rows.clone()], &roots);
        }
        add_gram(&block, 1.0, &mut sum);
    }
    sum.fill_upper_triangle_with_lower_triangle();
    sum
}

/// Adds `sign` times the inner products of the columns to the lower triangle of `sum` (and to some entries
/// above it).
pub(super) fn add_gram(block: &Block, sign: f64, sum: &mut DMatrix<f64>) {
    Arch::new().dispatch(Gram { block, sign, sum });
}

struct Gram<'a> {
    block: &'a Block,
    sign: f64,
    sum: &'a mut DMatrix<f64>,
}

impl WithSimd for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { block, sign, sum } = self;
        for left in (0..block.columns).step_by(TALL) {
            for top in (left / WIDE * WIDE..block.columns).step_by(WIDE) {
                let products = tile(simd, block, left, top);
                for (j, products) in products.iter().enumerate() {
                    for (i, product) in products.iter().enumerate() {
                        if top + i < block.columns && left + j < block.columns {
                            sum[(top + i, left + j)] += sign * product;
                        }
                    }
                }
            }
        }
    }
}

/// The inner products of columns left, left + 1 with columns top, …, top + 3.
#[inline(always)]
fn tile<S: Simd>(simd: S, block: &Block, left: usize, top: usize) -> [[f64; WIDE]; TALL] {
    let (a0, a1) = (S::as_simd_f64s(block.column(left)).0, S::as_simd_f64s(block.column(left + 1)).0);
    let (b0, b1) = (S::as_simd_f64s(block.column(top)).0, S::as_simd_f64s(block.column(top + 1)).0);
    let (b2, b3) = (S::as_simd_f64s(block.column(top + 2)).0, S::as_simd_f64s(block.column(top + 3)).0);
    let mut sums = [[simd.splat_f64s(0.0); WIDE]; TALL];
    for (((((&a0, &a1), &b0), &b1), &b2), &b3) in a0.iter().zip(a1).zip(b0).zip(b1).zip(b2).zip(b3) {
        let b = [b0, b1, b2, b3];
        for i in 0..WIDE {
            sums[0][i] = simd.mul_add_e_f64s(a0, b[i], sums[0][i]);
            sums[1][i] = simd.mul_add_e_f64s(a1, b[i], sums[1][i]);
        }
    }
    sums.map(|row| row.map(|sum| simd.reduce_sum_f64s(sum)))
}
