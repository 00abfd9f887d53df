//! Non-zeros against a product of factors: what EM for mixed membership and multiplicative updates have in
//! common.

#![expect(
    clippy::inline_always,
    reason = "what is dispatched to a set of instructions must be inlined into it"
)]

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::{TermMatrix, blocks};
use crate::factor_rows::{FactorRows, add_scaled, dot};
use crate::lanes::Lane;

/// Below this a product is not waited with: its logarithm is taken at once.
const SMALL: f64 = 1e-150;

/// What is found at the non-zeros x_dw of a matrix for factors a_d and b_w, with `s_dw = sum_k a_dk b_wk`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mixed {
    /// `x_dw / s_dw`, document by document; 0 where x_dw is.
    pub(crate) ratios: Vec<f64>,
    /// `sum_w (x_dw / s_dw) b_wk` of each document.
    pub(crate) sums: FactorRows,
    /// `sum_dw x_dw ln s_dw`, negative infinity where an s_dw is 0 and x_dw is not.
    pub(crate) ln: f64,
}

impl TermMatrix {
    /// Looks at all non-zeros once: 4 K operations each, and a number of memory.
    pub(crate) fn mixed(&self, documents: &FactorRows, words: &FactorRows) -> Mixed {
        let mut ratios = vec![0.0; self.values.len()];
        let mut sums = FactorRows::zeros(self.documents(), words.columns());
        let mut ln = vec![0.0; self.documents()];
        let lanes = words.lanes();
        let (mut rest_of_ratios, mut rest_of_sums, mut rest_of_ln) =
            (ratios.as_mut_slice(), sums.all_mut(), ln.as_mut_slice());
        let mut tasks = Vec::new();
        for block in blocks(&self.offsets) {
            let entries = self.offsets[block.end] - self.offsets[block.start];
            let (ratios, others) = rest_of_ratios.split_at_mut(entries);
            rest_of_ratios = others;
            let (sums, others) = rest_of_sums.split_at_mut(block.len() * lanes);
            rest_of_sums = others;
            let (ln, others) = rest_of_ln.split_at_mut(block.len());
            rest_of_ln = others;
            tasks.push(Block { matrix: self, documents, words, range: block, ratios, sums, ln });
        }
        tasks.into_par_iter().for_each(|task| Arch::new().dispatch(task));
        Mixed { ratios, sums, ln: ln.iter().sum() }
    }
}

/// A block of documents.
struct Block<'a> {
    matrix: &'a TermMatrix,
    documents: &'a FactorRows,
    words: &'a FactorRows,
    range: Range<usize>,
    ratios: &'a mut [f64],
    sums: &'a mut [Lane],
    ln: &'a mut [f64],
}

impl WithSimd for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { matrix, documents, words, range, mut ratios, sums, ln } = self;
        for ((d, sums), ln) in range.zip(sums.chunks_exact_mut(words.lanes())).zip(ln) {
            let (word_of, values) = matrix.document(d);
            let (here, others) = ratios.split_at_mut(values.len());
            ratios = others;
            *ln = document(documents.row(d), words, word_of, values, here, sums);
        }
    }
}

#[inline(always)]
fn document(
    a: &[Lane],
    words: &FactorRows,
    word_of: &[u32],
    values: &[f64],
    ratios: &mut [f64],
    sums: &mut [Lane],
) -> f64 {
    let (mut ln, mut product) = (0.0, 1.0);
    for ((&word, &value), ratio) in word_of.iter().zip(values).zip(ratios) {
        let b = words.row(word as usize);
        let s = dot(a, b);
        if s > 0.0 {
            *ratio = value / s;
            add_scaled(sums, *ratio, b);
            // Logarithms of many small counts are taken at once.
            if value == 1.0 && s > SMALL && s < 1.0 {
                product *= s;
                if product < SMALL {
                    ln += product.ln();
                    product = 1.0;
                }
            } else {
                ln += value * s.ln();
            }
        } else if value != 0.0 {
            ln = f64::NEG_INFINITY;
        }
    }
    ln + product.ln()
}
