//! Σ_t p(z_t = i, z_{t+1} = j): one product of the messages of both directions.

use pulp::{Simd, WithSimd};

use super::lanes::{LANES, Lane, Matrix};
use super::vectors::{Portable, Vectors, Wide, with_vectors};

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
    fn with_simd<S: Simd>(self, simd: S) {
        with_vectors!(simd, S, |f| self.add(f));
    }
}

impl AddEdgeSums<'_> {
    #[inline(always)]
    fn add<F: Vectors>(self, f: F) {
        let Self { weights, filtered, messages, states, sums } = self;
        let width = weights.width();
        let Some(after) = messages.get(width..) else { return };
        let blocks = filtered.chunks(BLOCK * width).zip(after.chunks(BLOCK * width));
        for (before, after) in blocks {
            for i in 0..width {
                for j in (0..width).step_by(2) {
                    if j + 1 < width {
                        let tile = tile::<F, 2>(f, before, after, width, i, j);
                        add(&tile, weights, states, i, j, sums);
                    } else {
                        let tile = tile::<F, 1>(f, before, after, width, i, j);
                        add(&tile, weights, states, i, j, sums);
                    }
                }
            }
        }
    }
}

/// Sums of products of the lane i of the first with P lanes from j of the second, over as many rows as the
/// second has.
#[inline(always)]
fn tile<F: Vectors, const P: usize>(
    f: F,
    before: &[Lane],
    after: &[Lane],
    width: usize,
    i: usize,
    j: usize,
) -> [[Lane; P]; LANES] {
    let mut sums = [[f.splat(0.0); P]; LANES];
    for (before, after) in before.chunks_exact(width).zip(after.chunks_exact(width)) {
        let x = before[i];
        let Some((y, _)) = after[j..].split_first_chunk::<P>() else { break };
        for r in 0..LANES {
            let x = f.splat(x[r]);
            for p in 0..P {
                sums[r][p] = f.add(sums[r][p], f.mul(x, f.load(y[p])));
            }
        }
    }
    sums.map(|row| row.map(|vector| f.lane(vector)))
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
