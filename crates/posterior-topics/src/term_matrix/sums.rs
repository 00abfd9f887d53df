//! Weighted sums of rows of factors: a sparse matrix times a dense one.

#![expect(
    clippy::inline_always,
    reason = "what is dispatched to a set of instructions must be inlined into it"
)]

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::{TermMatrix, blocks};
use crate::factor_rows::{FactorRows, add_scaled};
use crate::lanes::{Lane, ZERO};

impl TermMatrix {
    /// For each document `sum_w value_dw row_w`: A B.
    pub(crate) fn times(&self, words: &FactorRows) -> FactorRows {
        let entry = |place: usize| (self.word_of[place], self.values[place]);
        sums(&self.offsets, words, entry)
    }

    /// For each word `sum_d value_dw row_d`: the transpose of A times B.
    pub(crate) fn transposed_times(&self, documents: &FactorRows) -> FactorRows {
        self.sums_by_word(&self.values, documents)
    }

    /// The same with other values at the non-zeros, document by document.
    pub(crate) fn sums_by_word(&self, values: &[f64], documents: &FactorRows) -> FactorRows {
        let entry = |place: usize| (self.document_of[place], values[self.place_of[place]]);
        sums(&self.word_offsets, documents, entry)
    }
}

fn sums(offsets: &[usize], rows: &FactorRows, entry: impl Fn(usize) -> (u32, f64) + Sync) -> FactorRows {
    let mut sums = FactorRows::zeros(offsets.len() - 1, rows.columns());
    let lanes = rows.lanes();
    let mut rest = sums.all_mut();
    let mut tasks = Vec::new();
    for block in blocks(offsets) {
        let (to, others) = rest.split_at_mut(block.len() * lanes);
        rest = others;
        tasks.push((block, to));
    }
    tasks.into_par_iter().for_each(|(block, to)| {
        Arch::new().dispatch(Sums { offsets, rows, entry: &entry, block, to });
    });
    sums
}

/// The sums of a block of rows.
struct Sums<'a, F> {
    offsets: &'a [usize],
    rows: &'a FactorRows,
    entry: &'a F,
    block: Range<usize>,
    to: &'a mut [Lane],
}

impl<F: Fn(usize) -> (u32, f64)> WithSimd for Sums<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { offsets, rows, entry, block, to } = self;
        let lanes = rows.lanes();
        for (row, to) in block.zip(to.chunks_exact_mut(lanes)) {
            let places = offsets[row]..offsets[row + 1];
            // Up to four lanes are summed up in registers.
            for (part, to) in to.chunks_mut(4).enumerate() {
                let (places, first) = (places.clone(), 4 * part);
                match to.len() {
                    1 => sum::<1>(places, entry, rows, first, to),
                    2 => sum::<2>(places, entry, rows, first, to),
                    3 => sum::<3>(places, entry, rows, first, to),
                    _ => sum::<4>(places, entry, rows, first, to),
                }
            }
        }
    }
}

#[inline(always)]
fn sum<const WIDTH: usize>(
    places: Range<usize>,
    entry: &impl Fn(usize) -> (u32, f64),
    rows: &FactorRows,
    first: usize,
    to: &mut [Lane],
) {
    let mut sums = [ZERO; WIDTH];
    for place in places {
        let (row, value) = entry(place);
        add_scaled(&mut sums, value, &rows.row(row as usize)[first..][..WIDTH]);
    }
    to.copy_from_slice(&sums);
}
