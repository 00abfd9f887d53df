//! Student's density of one point in many blocks, side by side.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use pulp::{Arch, Simd, WithSimd};

use super::super::packed_cholesky::packed_len;
use super::ln_one_plus::ln_one_plus;

/// Numbers of blocks, one column of memory for each number: block k is lane k of all of them.
#[derive(Debug)]
pub(super) struct Lanes {
    arch: Arch,
    dimension: usize,
    /// Lanes that there is room for: a multiple of [`WIDTH`].
    room: usize,
    /// p columns.
    means: Vec<f64>,
    /// Of the factor L the entries below the diagonal, and the inverses of those on it: p (p + 1) / 2
    /// columns.
    factors: Vec<f64>,
    /// ln of the norm, the exponent, and the factor of the squared distance: three columns.
    numbers: Vec<f64>,
    /// L⁻¹ (x - μ): p columns, and one for its squares.
    white: Vec<f64>,
}

/// Lanes come in so many at once.
const WIDTH: usize = 8;

impl Lanes {
    pub(super) fn new(dimension: usize) -> Self {
        let mut lanes = Self {
            arch: Arch::new(),
            dimension,
            room: 0,
            means: Vec::new(),
            factors: Vec::new(),
            numbers: Vec::new(),
            white: Vec::new(),
        };
        lanes.reserve(WIDTH);
        lanes
    }

    /// Makes room for as many lanes; what is in them stays.
    pub(super) fn reserve(&mut self, lanes: usize) {
        if lanes <= self.room {
            return;
        }
        let room = lanes.max(2 * self.room).next_multiple_of(WIDTH);
        let (p, entries) = (self.dimension, packed_len(self.dimension));
        let columns = [(&mut self.means, p), (&mut self.factors, entries), (&mut self.numbers, 3)];
        for (column, count) in columns.into_iter().chain([(&mut self.white, p + 1)]) {
            let mut wider = vec![0.0; room * count];
            if self.room > 0 {
                for (wide, narrow) in wider.chunks_exact_mut(room).zip(column.chunks_exact(self.room)) {
                    wide[..self.room].copy_from_slice(narrow);
                }
            }
            *column = wider;
        }
        self.room = room;
    }

    /// Puts a block into its lane: μ, the factor column after column, and ln of the norm, the exponent, the
    /// factor of the squared distance.
    pub(super) fn set(&mut self, lane: usize, mean: &[f64], factor: &[f64], numbers: [f64; 3]) {
        let room = self.room;
        for (column, &value) in self.means.chunks_exact_mut(room).zip(mean) {
            column[lane] = value;
        }
        for (column, &value) in self.factors.chunks_exact_mut(room).zip(factor) {
            column[lane] = value;
        }
        let p = self.dimension;
        for pivot in 0..p {
            let place = (packed_len(p) - packed_len(p - pivot)) * room + lane;
            self.factors[place] = self.factors[place].recip();
        }
        for (column, value) in self.numbers.chunks_exact_mut(room).zip(numbers) {
            column[lane] = value;
        }
    }

    /// Lane `to` becomes what lane `from` is.
    pub(super) fn replace(&mut self, to: usize, from: usize) {
        for columns in [&mut self.means, &mut self.factors, &mut self.numbers] {
            for column in columns.chunks_exact_mut(self.room) {
                column[to] = column[from];
            }
        }
    }

    /// ln of the density of a row in each of the first lanes.
    pub(super) fn ln_predictive(&mut self, row: &[f64], values: &mut [f64]) {
        let arch = self.arch;
        arch.dispatch(Weigh { lanes: self, row, values });
    }

    /// |L⁻¹ (x - μ)|² of the last row, in this lane.
    pub(super) fn square(&self, lane: usize) -> f64 {
        self.white[self.dimension * self.room + lane]
    }

    /// The densities from the squared distances.
    #[inline(always)]
    fn densities(&self, values: &mut [f64]) {
        let count = values.len();
        let (ln_norms, rest) = self.numbers.split_at(self.room);
        let (exponents, factors) = rest.split_at(self.room);
        let (ln_norms, exponents, factors) = (&ln_norms[..count], &exponents[..count], &factors[..count]);
        let squares = &self.white[self.dimension * self.room..][..count];
        for (k, value) in values.iter_mut().enumerate() {
            *value = ln_norms[k] - exponents[k] * ln_one_plus(factors[k] * squares[k]);
        }
    }

    /// Forward substitution in all lanes; the innermost loops run over lanes.
    #[inline(always)]
    fn substitute(&mut self, row: &[f64], count: usize) {
        let (p, room) = (self.dimension, self.room);
        let used = count.next_multiple_of(WIDTH).min(room);
        let (white, squares) = self.white.split_at_mut(p * room);
        let squares = &mut squares[..used];
        squares.fill(0.0);
        for ((white, means), x) in white.chunks_exact_mut(room).zip(self.means.chunks_exact(room)).zip(row) {
            for (white, mean) in white[..used].iter_mut().zip(&means[..used]) {
                *white = x - mean;
            }
        }
        let mut factors = self.factors.chunks_exact(room);
        let mut rest = white;
        while !rest.is_empty() {
            let (current, below) = rest.split_at_mut(room);
            let Some(inverses) = factors.next() else { return };
            let current = &mut current[..used];
            for ((z, inverse), square) in current.iter_mut().zip(inverses).zip(squares.iter_mut()) {
                *z *= inverse;
                *square += *z * *z;
            }
            for (other, entries) in below.chunks_exact_mut(room).zip(&mut factors) {
                for ((other, entry), z) in other[..used].iter_mut().zip(entries).zip(&*current) {
                    *other -= entry * z;
                }
            }
            rest = below;
        }
    }
}

/// [`Lanes::substitute`] and [`Lanes::densities`] for the vectors of the machine.
struct Weigh<'a> {
    lanes: &'a mut Lanes,
    row: &'a [f64],
    values: &'a mut [f64],
}

impl WithSimd for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.lanes.substitute(self.row, self.values.len());
        self.lanes.densities(self.values);
    }
}
