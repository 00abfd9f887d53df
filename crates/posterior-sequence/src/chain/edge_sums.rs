//! Σ_t p(z_t = i, z_{t+1} = j): one product of the messages of both directions.

use pulp::{Simd, WithSimd};

use super::lanes::{LANES, Lane, Matrix, ZERO};

/// Positions whose messages stay in the cache.
const BLOCK: usize = 128;

/// Adds w_ij Σ_t â_t(i) y_{t+1}(j), with T rows of both, to the entries of a K × K matrix, row by row.
pub(super) struct AddEdgeSums<'a> {
    pub(super) weights: &'a Matrix,
    pub(super) filtered: &'a [Lane],
    pub(super) messages: &'a [Lane],
    pub(super) states: usize,
    pub(super) sums: &'a mut [f64],
}

impl WithSimd for AddEdgeSums<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { weights, filtered, messages, states, sums } = self;
        let width = weights.width();
        let Some(after) = messages.get(width..) else { return };
        let blocks = filtered.chunks(BLOCK * width).zip(after.chunks(BLOCK * width));
        for (before, after) in blocks {
            for i in 0..width {
                let mut j = 0;
                while j < width {
                    if j + 1 < width {
                        let tile = tile::<2>(before, after, width, i, j);
                        add(&tile, weights, states, i, j, sums);
                        j += 2;
                    } else {
                        let tile = tile::<1>(before, after, width, i, j);
                        add(&tile, weights, states, i, j, sums);
                        j += 1;
                    }
                }
            }
        }
    }
}

/// Sums of products of the lane i of the first with P lanes from j of the second, over as many rows as the second has.
#[inline(always)]
fn tile<const P: usize>(
    before: &[Lane],
    after: &[Lane],
    width: usize,
    i: usize,
    j: usize,
) -> [[Lane; P]; LANES] {
    let mut sums = [[ZERO; P]; LANES];
    for (before, after) in before.chunks_exact(width).zip(after.chunks_exact(width)) {
        let x = before[i];
        let Some((y, _)) = after[j..].split_first_chunk::<P>() else { break };
        for r in 0..LANES {
            for p in 0..P {
                for l in 0..LANES {
                    sums[r][p][l] += x[r] * y[p][l];
                }
            }
        }
    }
    sums
}

#[inline(always)]
fn add<const P: usize>(
    tile: &[[Lane; P]; LANES],
    weights: &Matrix,
    states: usize,
    i: usize,
    j: usize,
    sums: &mut [f64],
) {
    let first = j * LANES;
    for (row, tile) in (i * LANES..states).zip(tile) {
        let sums = &mut sums[row * states..][..states];
        for (offset, (sum, product)) in sums[first..].iter_mut().zip(tile.as_flattened()).enumerate() {
            *sum += weights.entry(row, first + offset) * product;
        }
    }
}
