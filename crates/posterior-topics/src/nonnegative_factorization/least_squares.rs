//! Steps of least squares: each topic in turn at its minimum, the others given.

use super::start::{Descent, Factors};
use crate::factor_rows::{FactorRows, dot};
use crate::term_matrix::TermMatrix;

/// A run: the factors, and the inner products of those of the words.
pub(super) struct Run<'a> {
    matrix: &'a TermMatrix,
    factors: Factors,
    /// H Hᵀ.
    words: FactorRows,
    /// `sum (x - y)² / 2`.
    divergence: f64,
}

impl<'a> Run<'a> {
    pub(super) fn new(matrix: &'a TermMatrix, factors: Factors) -> Self {
        let words = factors.words.gram();
        let products = matrix.transposed_times(&factors.documents);
        let mut run = Self { matrix, factors, words, divergence: 0.0 };
        run.divergence = run.measure(&products, &run.factors.documents.gram());
        run
    }

    /// `|X|² / 2 - sum X W H + |W H|² / 2`, from Xᵀ W and Wᵀ W: right to about 1e-16 of |X|².
    fn measure(&self, products: &FactorRows, documents: &FactorRows) -> f64 {
        let squares: f64 = self.matrix.values().iter().map(|x| x * x).sum();
        let inner =
            |a: &FactorRows, b: &FactorRows| (0..a.rows()).map(|i| dot(a.row(i), b.row(i))).sum::<f64>();
        0.5 * squares - inner(products, &self.factors.words) + 0.5 * inner(documents, &self.words)
    }
}

impl Descent for Run<'_> {
    fn divergence(&self) -> f64 {
        self.divergence
    }

    fn step(&mut self) {
        let products = self.matrix.times(&self.factors.words);
        descend(&mut self.factors.documents, &products, &self.words);
        let documents = self.factors.documents.gram();
        let products = self.matrix.transposed_times(&self.factors.documents);
        descend(&mut self.factors.words, &products, &documents);
        self.words = self.factors.words.gram();
        self.divergence = self.measure(&products, &documents);
    }

    fn factors(self) -> Factors {
        self.factors
    }
}

/// For each row x, and each k in turn, the least value of `x G x / 2 - p x` with x_k ≥ 0.
pub(super) fn descend(rows: &mut FactorRows, products: &FactorRows, gram: &FactorRows) {
    rows.for_each_row(|i, row| {
        descend_row(row, products.numbers(i), gram);
    });
}

/// The same of one row; the largest change.
pub(super) fn descend_row(row: &mut [f64], products: &[f64], gram: &FactorRows) -> f64 {
    let mut largest = 0.0_f64;
    for k in 0..row.len() {
        let g = gram.numbers(k);
        // A topic without words, or without documents, has no part in anything.
        if g[k] > 0.0 {
            let slope: f64 = products[k] - row.iter().zip(g).map(|(x, g)| x * g).sum::<f64>();
            let next = (row[k] + slope / g[k]).max(0.0);
            largest = largest.max((next - row[k]).abs());
            row[k] = next;
        }
    }
    largest
}
