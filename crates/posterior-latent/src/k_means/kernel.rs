//! The inner loop: the two highest of all x·c - |c|²/2, for sixteen rows at once.

use pulp::Simd;

/// How many rows a tile holds.
pub(super) const TILE: usize = 16;

/// How many centres are computed together.
const GROUP: usize = 4;

/// Centres, as the kernel reads them.
#[derive(Debug)]
pub(super) struct Packed {
    dimension: usize,
    /// Coordinates of four centres at a time, coordinate by coordinate; the last ones may be padding.
    coordinates: Vec<[f64; GROUP]>,
    /// -|c|²/2, which is -∞ for padding: never the highest.
    offsets: Vec<[f64; GROUP]>,
    /// The largest |c|.
    pub(super) radius: f64,
}

impl Packed {
    /// Packs centres that stand one after the other.
    pub(super) fn new(centres: &[f64], dimension: usize) -> Self {
        let groups = (centres.len() / dimension).div_ceil(GROUP);
        let mut coordinates = vec![[0.0; GROUP]; groups * dimension];
        let mut offsets = vec![[f64::NEG_INFINITY; GROUP]; groups];
        let mut largest = 0.0_f64;
        for (j, centre) in centres.chunks_exact(dimension).enumerate() {
            let (group, place) = (j / GROUP, j % GROUP);
            for (packed, &c) in coordinates[group * dimension..].iter_mut().zip(centre) {
                packed[place] = c;
            }
            let square = centre.iter().map(|c| c * c).sum::<f64>();
            offsets[group][place] = -0.5 * square;
            largest = largest.max(square);
        }
        Self { dimension, coordinates, offsets, radius: largest.sqrt() }
    }
}

/// For each row of a tile the highest score, the next one, and whose the highest is; the first of equals.
#[derive(Debug, Clone)]
pub(super) struct NearestTwo {
    pub(super) best: [f64; TILE],
    pub(super) second: [f64; TILE],
    pub(super) index: [u64; TILE],
}

impl NearestTwo {
    pub(super) const fn new() -> Self {
        Self { best: [0.0; TILE], second: [0.0; TILE], index: [0; TILE] }
    }
}

/// Finds the two highest scores of each row of a tile, which stands coordinate by coordinate.
///
/// Products and sums may be fused or not: |error| ≤ (d + 3) ε (|x| |c| + |c|²/2).
#[inline(always)]
pub(super) fn nearest_two<S: Simd>(simd: S, tile: &[f64], centres: &Packed, found: &mut NearestTwo) {
    let stride = TILE / S::F64_LANES;
    let (tile, _) = S::as_simd_f64s(tile);
    for first in (0..stride).step_by(2) {
        let mut best = [simd.splat_f64s(f64::NEG_INFINITY); 2];
        let mut second = best;
        let mut index = [simd.splat_u64s(0); 2];
        let mut number = 0;
        for (group, offsets) in centres.coordinates.chunks_exact(centres.dimension).zip(&centres.offsets) {
            let mut scores = offsets.map(|offset| [simd.splat_f64s(offset); 2]);
            for (x, coordinates) in tile.chunks_exact(stride).zip(group) {
                let x = [x[first], x[first + 1]];
                for (score, &c) in scores.iter_mut().zip(coordinates) {
                    let c = simd.splat_f64s(c);
                    score[0] = simd.mul_add_e_f64s(x[0], c, score[0]);
                    score[1] = simd.mul_add_e_f64s(x[1], c, score[1]);
                }
            }
            for score in scores {
                let name = simd.splat_u64s(number);
                number += 1;
                for half in 0..2 {
                    let higher = simd.less_than_f64s(best[half], score[half]);
                    second[half] = simd.max_f64s(second[half], simd.min_f64s(best[half], score[half]));
                    best[half] = simd.max_f64s(best[half], score[half]);
                    index[half] = simd.select_u64s(higher, name, index[half]);
                }
            }
        }
        for (to, from) in [(&mut found.best, best), (&mut found.second, second)] {
            let (to, _) = S::as_mut_simd_f64s(to);
            to[first..first + 2].copy_from_slice(&from);
        }
        S::as_mut_simd_u64s(&mut found.index).0[first..first + 2].copy_from_slice(&index);
    }
}

/// |a - b|², in the same order of operations everywhere.
#[inline(always)]
pub(super) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, a_rest) = a.as_chunks::<4>();
    let (b_chunks, b_rest) = b.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..4 {
            let difference = a[lane] - b[lane];
            lanes[lane] += difference * difference;
        }
    }
    let mut rest = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest += (a - b) * (a - b);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}
