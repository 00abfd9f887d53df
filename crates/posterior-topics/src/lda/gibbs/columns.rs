//! Weights in eight columns, and draws from them.
//!
//! Entry `8 r + c` stands in row `r` of column `c`, and row `r` in chain `r mod N`: chains are added up side
//! by side, since each addition waits for the one before. A draw takes a column by the sums of the columns,
//! and then a row by the running sums of the column, which the loop over rows leaves behind. All additions
//! have a fixed order, so that every machine draws the same topics.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use std::hint::select_unpredictable;

use super::vectors::{Lanes, Vectors};
use crate::lanes::LANES;

/// Below this sum of the weights, single precision may not hold all of them.
const LEAST_TOTAL: f32 = 1e-25;

/// Sums of weights by column and chain: chain `j` has each `N`th row from the `j`th.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns<X: Vectors, const N: usize> {
    /// Of the chains up to this one.
    chains: [X::Vector; N],
    /// Of all chains and of the columns up to each.
    up_to: X::Vector,
    /// Of all.
    pub(super) total: f32,
}

/// An entry, and how far into its weight the draw fell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draw {
    pub(super) entry: usize,
    pub(super) rest: f32,
}

/// Whether single precision holds all weights that matter beside their sum.
#[inline(always)]
pub(super) fn is_sound(total: f32) -> bool {
    total > LEAST_TOTAL && total < f32::MAX
}

impl<X: Vectors, const N: usize> Columns<X, N> {
    /// Adds up the weights of rows, `N` at a time, and leaves the running sums behind, by column and chain.
    #[inline(always)]
    pub(super) fn cumulate(x: X, sums: &mut [Lanes], weights: impl Iterator<Item = [X::Vector; N]>) -> Self {
        let mut chains = [x.splat(0.0); N];
        for (sums, weights) in sums.as_chunks_mut::<N>().0.iter_mut().zip(weights) {
            for j in 0..N {
                chains[j] = x.add(chains[j], weights[j]);
                sums[j] = x.store(chains[j]);
            }
        }
        for j in 1..N {
            chains[j] = x.add(chains[j], chains[j - 1]);
        }
        let up_to = x.prefix_sums(chains[N - 1]);
        Self { chains, up_to, total: x.last(up_to) }
    }

    /// The entry to which a target below the total leads, and the lower bits of a random number: 24 for the
    /// column, and 24 fresh ones for the row, so that rare topics are not rounded away.
    ///
    /// `None` when rounding leads to an entry without weight.
    #[inline(always)]
    pub(super) fn draw(&self, x: X, sums: &[Lanes], target: f32, bits: u64) -> Option<Draw> {
        let column = x.at_most(self.up_to, target).min(LANES - 1);
        let chains: [Lanes; N] = std::array::from_fn(|j| x.store(self.chains[j]));
        let mut target = unit(bits >> 16 & 0xff_ffff) * chains[N - 1][column];
        let (sums, _) = sums.as_chunks::<N>();
        let mut chain = 0;
        if N > 1 {
            chain = (0..N - 1).map(|j| usize::from(chains[j][column] <= target)).sum::<usize>();
            if chain > 0 {
                target -= chains[chain - 1][column];
            }
        }
        // The number of rows whose running sum the target reaches, by halves.
        let (mut row, mut length) = (0, sums.len());
        while length > 1 {
            let half = length / 2;
            let reached = sums[row + half - 1][chain][column] <= target;
            row = select_unpredictable(reached, row + half, row);
            length -= half;
        }
        let before = if row == 0 { 0.0 } else { sums[row - 1][chain][column] };
        // Rounding may carry a target past the last weight of a column.
        let entry = (row * N + chain) * LANES + column;
        (sums[row][chain][column] > before).then_some(Draw { entry, rest: target - before })
    }
}

/// The upper 24 bits as a number in [0, 1).
#[inline(always)]
pub(super) fn upper(bits: u64) -> f32 {
    unit(bits >> 40)
}

/// A number in [0, 1) from 24 bits.
#[inline(always)]
fn unit(bits: u64) -> f32 {
    (bits as u32).cast_signed() as f32 * (1.0 / 16_777_216.0)
}
