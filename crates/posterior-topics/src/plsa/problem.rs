//! The steps of EM.

use std::convert::Infallible;

use posterior_inference::em::{Expected, Problem};

use super::options::PlsaOptions;
use super::parameters::Parameters;
use crate::factor_rows::FactorRows;
use crate::term_matrix::{Mixed, TermMatrix};

/// Where EM is: p(d), rows of p(z | d), and for each word a row of p(w | z).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) document_proportions: Vec<f64>,
    pub(super) document_topic: FactorRows,
    pub(super) word_topic: FactorRows,
}

impl State {
    pub(super) fn of(parameters: &Parameters) -> Self {
        Self {
            document_proportions: parameters.document_proportions.clone(),
            document_topic: FactorRows::of_matrix(&parameters.document_topic),
            word_topic: FactorRows::of_transposed(&parameters.topic_word),
        }
    }
}

/// The expected number of tokens of each topic, by documents and by words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counts {
    document_topic: FactorRows,
    word_topic: FactorRows,
}

/// A corpus, with priors and the exponent of the E step.
#[derive(Debug)]
pub(super) struct MixedMembership<'a> {
    matrix: &'a TermMatrix,
    totals: Vec<f64>,
    /// What the priors add to each count.
    added_topic: f64,
    added_word: f64,
    /// q(z) ∝ [p(z | d) p(w | z)]^exponent; 1 is EM.
    exponent: f64,
}

impl<'a> MixedMembership<'a> {
    pub(super) fn new(matrix: &'a TermMatrix, options: &PlsaOptions) -> Self {
        Self {
            matrix,
            totals: matrix.document_totals(),
            added_topic: options.topic_prior - 1.0,
            added_word: options.word_prior - 1.0,
            exponent: 1.0,
        }
    }

    /// The same with another exponent.
    pub(super) fn tempered(&self, exponent: f64) -> Self {
        Self { totals: self.totals.clone(), exponent, ..*self }
    }

    /// The tokens of each document.
    pub(super) fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// What the prior adds to the count of each word of a topic.
    pub(super) fn added_word(&self) -> f64 {
        self.added_word
    }

    fn powers(&self, rows: &FactorRows) -> FactorRows {
        let mut powers = rows.clone();
        if self.exponent != 1.0 {
            powers.for_each_row(|_, row| row.iter_mut().for_each(|p| *p = p.powf(self.exponent)));
        }
        powers
    }

    /// What an E step finds with factors that are already powers.
    fn expected(&self, documents: &FactorRows, words: &FactorRows) -> (Counts, f64) {
        let Mixed { ratios, sums: mut document_topic, ln } = self.matrix.mixed(documents, words);
        document_topic.for_each_row(|d, row| multiply(row, documents.numbers(d)));
        let mut word_topic = self.matrix.sums_by_word(&ratios, documents);
        word_topic.for_each_row(|w, row| multiply(row, words.numbers(w)));
        (Counts { document_topic, word_topic }, ln / self.exponent)
    }
}

fn multiply(row: &mut [f64], by: &[f64]) {
    for (value, by) in row.iter_mut().zip(by) {
        *value *= by;
    }
}

impl Problem for MixedMembership<'_> {
    type Model = State;
    type Statistics = Counts;
    type Error = Infallible;

    /// With an exponent β < 1 the objective is `sum n ln p(d) + (1/β) sum n ln sum_z [p(z | d) p(w | z)]^β`,
    /// which the M step raises too.
    fn e_step(&self, state: &State) -> Result<Expected<Counts>, Infallible> {
        let (counts, ln) = if self.exponent == 1.0 {
            self.expected(&state.document_topic, &state.word_topic)
        } else {
            self.expected(&self.powers(&state.document_topic), &self.powers(&state.word_topic))
        };
        let proportion = |(&total, &p): (&f64, &f64)| if total == 0.0 { 0.0 } else { total * p.ln() };
        let ln_documents: f64 = self.totals.iter().zip(&state.document_proportions).map(proportion).sum();
        Ok(Expected::new(counts, ln + ln_documents))
    }

    /// Nothing is expected of a document without words, or of a topic that has died: without a prior they
    /// stay as they are.
    fn m_step(&self, counts: &Counts, previous: &State) -> Result<State, Infallible> {
        let all: f64 = self.totals.iter().sum();
        let mut document_topic = counts.document_topic.clone();
        let topics = document_topic.columns() as f64;
        document_topic.for_each_row(|d, row| {
            let total: f64 = row.iter().sum::<f64>() + topics * self.added_topic;
            for (p, &before) in row.iter_mut().zip(previous.document_topic.numbers(d)) {
                *p = if total > 0.0 { (*p + self.added_topic) / total } else { before };
            }
        });
        let mut word_topic = counts.word_topic.clone();
        let words = word_topic.rows() as f64;
        let totals: Vec<f64> =
            word_topic.column_sums().iter().map(|sum| sum + words * self.added_word).collect();
        word_topic.for_each_row(|w, row| {
            for ((p, &total), &before) in row.iter_mut().zip(&totals).zip(previous.word_topic.numbers(w)) {
                *p = if total > 0.0 { (*p + self.added_word) / total } else { before };
            }
        });
        let document_proportions = self.totals.iter().map(|total| total / all).collect();
        Ok(State { document_proportions, document_topic, word_topic })
    }

    fn ln_prior(&self, state: &State) -> f64 {
        let ln_sum = |rows: &FactorRows, added: f64| {
            if added == 0.0 {
                return 0.0;
            }
            let row = |i| rows.numbers(i).iter().map(|p| p.ln()).sum::<f64>();
            added * (0..rows.rows()).map(row).sum::<f64>()
        };
        ln_sum(&state.document_topic, self.added_topic) + ln_sum(&state.word_topic, self.added_word)
    }
}
