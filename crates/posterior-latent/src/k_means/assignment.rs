//! One half step: each row to its nearest centre, and the sums that the other half step needs.
//!
//! Nearest means: by |x - c|² as [`squared_distance`] computes it, and the first of equals. Bounds and the
//! fast kernel say which centre that must be; where rounding leaves a doubt, all distances are computed.

use pulp::{Arch, Simd, WithSimd};

use super::blocks::{self, Block};
use super::frame::Rows;
use super::kernel::{NearestTwo, Packed, TILE, nearest_two, squared_distance};

/// How many rows are assigned before they are summed, while they are in the cache.
const STRIP: usize = 256;

/// Bounds below this may have lost digits to underflow.
const SMALLEST: f64 = 1e-140;

/// Which rows may keep their centre without a look at the others.
#[derive(Debug)]
pub(super) enum Skip<'a> {
    /// None.
    Nobody,
    /// Those that are nearer to their centre than its `separation` (half the distance to the next centre), or
    /// than the row's lower bound on the distance to any other centre, less `drift`, which is the farthest
    /// that another centre has moved.
    Bounded { separation: &'a [f64], drift: &'a [f64] },
    /// All: distances and sums are wanted only.
    Everybody,
}

/// What a half step leaves.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    /// Σ w |x - c|².
    pub(super) inertia: f64,
    /// How many rows have another centre than before.
    pub(super) changed: usize,
    /// Σ w of each cluster.
    pub(super) weights: Vec<f64>,
    /// Σ w x of each cluster, one after the other.
    pub(super) totals: Vec<f64>,
}

impl Sums {
    fn zero(clusters: usize, dimension: usize) -> Self {
        Self {
            inertia: 0.0,
            changed: 0,
            weights: vec![0.0; clusters],
            totals: vec![0.0; clusters * dimension],
        }
    }

    fn merge(mut self, other: &Self) -> Self {
        self.inertia += other.inertia;
        self.changed += other.changed;
        for (sum, part) in self.weights.iter_mut().zip(&other.weights) {
            *sum += part;
        }
        for (sum, part) in self.totals.iter_mut().zip(&other.totals) {
            *sum += part;
        }
        self
    }
}

/// Assigns all rows; `lower` holds a bound for each, or nothing where none are wanted.
pub(super) fn assign(
    rows: &Rows,
    centres: &[f64],
    labels: &mut [u32],
    lower: &mut [f64],
    skip: &Skip<'_>,
) -> Sums {
    let d = rows.dimension;
    let clusters = centres.len() / d;
    let packed = Packed::new(centres, d);
    let slack = 16.0 * (d as f64 + 8.0) * f64::EPSILON;
    let parts = blocks::map(labels, lower, clusters, |block| {
        let sums = Sums::zero(clusters, d);
        Arch::new().dispatch(Pass { rows, centres, packed: &packed, skip, slack, block, sums })
    });
    parts.into_iter().reduce(|sum, part| sum.merge(&part)).unwrap_or_else(|| Sums::zero(clusters, d))
}

/// The half step of one block of rows.
struct Pass<'a> {
    rows: &'a Rows,
    centres: &'a [f64],
    packed: &'a Packed,
    skip: &'a Skip<'a>,
    slack: f64,
    block: Block<'a>,
    sums: Sums,
}

impl WithSimd for Pass<'_> {
    type Output = Sums;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Sums {
        let mut scratch = Scratch {
            tile: vec![0.0; self.rows.dimension * TILE],
            found: NearestTwo::new(),
            pending: [0; TILE],
            count: 0,
            squares: [0.0; STRIP],
        };
        for start in (0..self.block.labels.len()).step_by(STRIP) {
            let end = (start + STRIP).min(self.block.labels.len());
            for place in start..end {
                self.look(simd, place, start, &mut scratch);
            }
            self.settle(simd, start, &mut scratch);
            self.sum(start..end, &scratch.squares);
        }
        self.sums
    }
}

struct Scratch {
    tile: Vec<f64>,
    found: NearestTwo,
    /// Places, in the block, of the rows in the tile.
    pending: [usize; TILE],
    count: usize,
    /// Squared distances of the rows of the strip to their centres.
    squares: [f64; STRIP],
}

impl<'a> Pass<'a> {
    #[inline(always)]
    fn row(&self, place: usize) -> &'a [f64] {
        self.rows.row(self.block.first + place)
    }

    #[inline(always)]
    fn centre(&self, j: usize) -> &'a [f64] {
        &self.centres[j * self.rows.dimension..][..self.rows.dimension]
    }

    /// Lets a row keep its centre, or puts it into the tile.
    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, place: usize, start: usize, scratch: &mut Scratch) {
        let keeps = match *self.skip {
            Skip::Nobody => false,
            Skip::Everybody => {
                let label = self.block.labels[place] as usize;
                scratch.squares[place - start] = squared_distance(self.row(place), self.centre(label));
                true
            }
            Skip::Bounded { separation, drift } => {
                let label = self.block.labels[place] as usize;
                let square = squared_distance(self.row(place), self.centre(label));
                scratch.squares[place - start] = square;
                let lower = (self.block.lower[place] - drift[label]) * (1.0 - self.slack);
                self.block.lower[place] = lower;
                let bound = lower.max(separation[label]);
                bound > SMALLEST && square * (1.0 + self.slack) < bound * bound
            }
        };
        if !keeps {
            let row = self.row(place);
            for (column, &x) in scratch.tile.chunks_exact_mut(TILE).zip(row) {
                column[scratch.count] = x;
            }
            scratch.pending[scratch.count] = place;
            scratch.count += 1;
            if scratch.count == TILE {
                self.settle(simd, start, scratch);
            }
        }
    }

    /// Assigns the rows in the tile. What stands behind them in it is computed for nothing.
    #[inline(always)]
    fn settle<S: Simd>(&mut self, simd: S, start: usize, scratch: &mut Scratch) {
        if scratch.count == 0 {
            return;
        }
        nearest_two(simd, &scratch.tile, self.packed, &mut scratch.found);
        for lane in 0..scratch.count {
            let place = scratch.pending[lane];
            let row = self.row(place);
            let square = row.iter().map(|x| x * x).sum::<f64>();
            let reach = square.sqrt() + self.packed.radius;
            let doubt = self.slack * reach * reach;
            let (best, second) = (scratch.found.best[lane], scratch.found.second[lane]);
            let (label, next) = if best - second > doubt {
                (scratch.found.index[lane] as usize, (square - 2.0 * (second + doubt)).max(0.0))
            } else {
                self.compare_all(row)
            };
            scratch.squares[place - start] = squared_distance(row, self.centre(label));
            if let Some(lower) = self.block.lower.get_mut(place) {
                *lower = next.sqrt() * (1.0 - self.slack);
            }
            self.sums.changed += usize::from(self.block.labels[place] != label as u32);
            self.block.labels[place] = label as u32;
        }
        scratch.count = 0;
    }

    /// The nearest centre, and the squared distance to the next one.
    #[inline(never)]
    fn compare_all(&self, row: &[f64]) -> (usize, f64) {
        let (mut nearest, mut best, mut second) = (0, f64::INFINITY, f64::INFINITY);
        for (j, centre) in self.centres.chunks_exact(self.rows.dimension).enumerate() {
            let square = squared_distance(row, centre);
            if square < best {
                (nearest, second, best) = (j, best, square);
            } else if square < second {
                second = square;
            }
        }
        (nearest, second)
    }

    #[inline(always)]
    fn sum(&mut self, places: std::ops::Range<usize>, squares: &[f64; STRIP]) {
        let d = self.rows.dimension;
        for (place, &square) in places.zip(squares) {
            let label = self.block.labels[place] as usize;
            let weight = self.rows.weight(self.block.first + place);
            self.sums.inertia += weight * square;
            self.sums.weights[label] += weight;
            let row = self.row(place);
            for (total, &x) in self.sums.totals[label * d..][..d].iter_mut().zip(row) {
                *total += weight * x;
            }
        }
    }
}
