//! The part of the weights that does not know the document: `alpha_k f_k`, in sums over blocks of topics.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use super::columns::{Columns, Draw};
use super::vectors::{Lanes, Vectors};
use crate::lanes::LANES;

/// Rows of topics in a block.
const ROWS: usize = 4;

/// Sums of `alpha_k f_k` by block of 32 topics: a change of one topic costs one block.
#[derive(Debug)]
pub(super) struct Smoothing {
    alpha: Vec<f32>,
    sums: Vec<f32>,
    /// Of all blocks. Differences of single-precision sums leave no error that matters in double precision.
    total: f64,
}

impl Smoothing {
    pub(super) fn new(alpha: &[f32]) -> Self {
        let sums = vec![0.0; alpha.len().div_ceil(ROWS * LANES)];
        Self { alpha: alpha.to_vec(), sums, total: 0.0 }
    }

    /// All sums anew.
    #[inline(always)]
    pub(super) fn start<X: Vectors>(&mut self, x: X, factors: &[f32]) {
        for block in 0..self.sums.len() {
            self.sums[block] = columns(x, &self.alpha, factors, block).0.total;
        }
        self.total = self.sums.iter().map(|&sum| f64::from(sum)).sum();
    }

    /// After a change of the factor of topic `k`.
    #[inline(always)]
    pub(super) fn update<X: Vectors>(&mut self, x: X, factors: &[f32], k: usize) {
        let block = k / (ROWS * LANES);
        let sum = columns(x, &self.alpha, factors, block).0.total;
        self.total += f64::from(sum) - f64::from(self.sums[block]);
        self.sums[block] = sum;
    }

    #[inline(always)]
    pub(super) fn total(&self) -> f32 {
        self.total as f32
    }

    /// The topic to which a target below the total leads, and the lower bits of a random number.
    #[inline(always)]
    pub(super) fn draw<X: Vectors>(&self, x: X, factors: &[f32], mut target: f32, bits: u64) -> Option<Draw> {
        let mut block = 0;
        while block + 1 < self.sums.len() && target >= self.sums[block] {
            target -= self.sums[block];
            block += 1;
        }
        let (columns, sums) = columns(x, &self.alpha, factors, block);
        // What is left of the target has lost digits: fresh ones.
        let target = unit_of(bits) * columns.total;
        let rows = sums.len().min(self.alpha.len() / LANES - block * ROWS);
        let draw = columns.draw(x, &sums[..rows], target, bits.rotate_left(29))?;
        Some(Draw { entry: block * ROWS * LANES + draw.entry, ..draw })
    }
}

/// The bits that the choice of the block leaves.
#[inline(always)]
fn unit_of(bits: u64) -> f32 {
    super::columns::upper(bits << 24)
}

/// The weights of a block.
#[inline(always)]
fn columns<X: Vectors>(x: X, alpha: &[f32], factors: &[f32], block: usize) -> (Columns<X, 1>, [Lanes; ROWS]) {
    let (alpha, factors) = (&alpha.as_chunks().0[block * ROWS..], &factors.as_chunks().0[block * ROWS..]);
    let mut sums = [[0.0; LANES]; ROWS];
    let rows = ROWS.min(alpha.len());
    let weights = alpha.iter().zip(factors).map(|(alpha, factors)| [x.mul(x.load(alpha), x.load(factors))]);
    let columns = Columns::cumulate(x, &mut sums[..rows], weights);
    (columns, sums)
}
