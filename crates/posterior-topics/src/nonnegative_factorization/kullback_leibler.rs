//! Steps under the Kullback-Leibler divergence.

use posterior_math::log_space::x_ln_x;

use super::options::FactorizationUpdate;
use super::start::{Descent, Factors};
use crate::factor_rows::FactorRows;
use crate::term_matrix::{Mixed, TermMatrix};

/// A run: the factors, and what the non-zeros say of them.
pub(super) struct Run<'a> {
    matrix: &'a TermMatrix,
    update: FactorizationUpdate,
    factors: Factors,
    mixed: Mixed,
    /// `sum x ln x - x`.
    constant: f64,
}

impl<'a> Run<'a> {
    pub(super) fn new(matrix: &'a TermMatrix, factors: Factors, update: FactorizationUpdate) -> Self {
        let mixed = matrix.mixed(&factors.documents, &factors.words);
        let constant = matrix.values().iter().map(|&x| x_ln_x(x) - x).sum();
        Self { matrix, update, factors, mixed, constant }
    }
}

impl Descent for Run<'_> {
    fn divergence(&self) -> f64 {
        let (documents, words) = (self.factors.documents.column_sums(), self.factors.words.column_sums());
        let whole: f64 = documents.iter().zip(&words).map(|(w, h)| w * h).sum();
        (self.constant - self.mixed.ln) + whole
    }

    fn step(&mut self) {
        let Factors { documents, words } = &mut self.factors;
        let sums = &self.mixed.sums;
        if self.update == FactorizationUpdate::Joint {
            // Expected tokens of each topic; its words are then divided by their number.
            let mut counts = self.matrix.sums_by_word(&self.mixed.ratios, documents);
            counts.for_each_row(|w, row| scale(row, words.numbers(w), |_| 1.0));
            let totals = counts.column_sums();
            documents.for_each_row(|d, row| scale(row, sums.numbers(d), |_| 1.0));
            counts.for_each_row(|_, row| {
                row.iter_mut().zip(&totals).for_each(|(n, &total)| *n = ratio(*n, total));
            });
            *words = counts;
        } else {
            let totals = words.column_sums();
            documents.for_each_row(|d, row| scale(row, sums.numbers(d), |k| totals[k]));
            let mixed = self.matrix.mixed(documents, words);
            let totals = documents.column_sums();
            let sums: FactorRows = self.matrix.sums_by_word(&mixed.ratios, documents);
            words.for_each_row(|w, row| scale(row, sums.numbers(w), |k| totals[k]));
        }
        self.mixed = self.matrix.mixed(&self.factors.documents, &self.factors.words);
    }

    fn factors(self) -> Factors {
        self.factors
    }
}

/// Multiplies by ratios.
fn scale(row: &mut [f64], by: &[f64], divided_by: impl Fn(usize) -> f64) {
    for (k, (x, by)) in row.iter_mut().zip(by).enumerate() {
        *x = ratio(*x * by, divided_by(k));
    }
}

/// 0 of a topic that has died.
fn ratio(numerator: f64, denominator: f64) -> f64 {
    if numerator == 0.0 { 0.0 } else { numerator / denominator }
}
