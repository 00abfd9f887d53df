//! The steps of EM.

use std::convert::Infallible;

use posterior_dist::choose;
use posterior_inference::em::{Classify, Expected, Impute, Problem};
use posterior_math::log_space::softmax_in_place;
use rand::{Rng, RngExt};

use super::options::DocumentMixtureOptions;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;

/// Where EM is: ln pi, and for each word a row of ln phi.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) ln_weights: Vec<f64>,
    pub(super) ln_word_topic: FactorRows,
}

/// Documents and tokens of each topic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counts {
    documents: Vec<f64>,
    word_topic: FactorRows,
}

/// A corpus with priors.
#[derive(Debug)]
pub(super) struct OneTopic<'a> {
    matrix: &'a TermMatrix,
    /// What the priors add to each count.
    added_weight: f64,
    added_word: f64,
}

impl<'a> OneTopic<'a> {
    pub(super) fn new(matrix: &'a TermMatrix, options: &DocumentMixtureOptions) -> Self {
        Self { matrix, added_weight: options.weight_prior - 1.0, added_word: options.word_prior - 1.0 }
    }

    /// ln pi_k prod_w phi_kw^n_dw: documents x topics.
    fn ln_joints(&self, state: &State) -> FactorRows {
        let mut ln = self.matrix.times(&state.ln_word_topic);
        ln.for_each_row(|_, row| {
            row.iter_mut().zip(&state.ln_weights).for_each(|(ln, weight)| *ln += weight);
        });
        ln
    }

    /// The probabilities of the topics of each document, and ln p(d). A document that is impossible gets the
    /// weights.
    pub(super) fn responsibilities(&self, state: &State) -> (FactorRows, Vec<f64>) {
        let mut proportions = self.ln_joints(state);
        let ln =
            (0..proportions.rows()).map(|d| expect(proportions.numbers_mut(d), &state.ln_weights)).collect();
        (proportions, ln)
    }

    /// What is counted when documents have these proportions of topics.
    pub(super) fn counted(&self, proportions: &FactorRows) -> Counts {
        Counts { documents: proportions.column_sums(), word_topic: self.matrix.transposed_times(proportions) }
    }
}

/// Turns ln p(k, d) into p(k | d), and returns ln p(d).
fn expect(row: &mut [f64], ln_weights: &[f64]) -> f64 {
    if row.iter().all(|&ln| ln == f64::NEG_INFINITY) {
        row.iter_mut().zip(ln_weights).for_each(|(proportion, ln)| *proportion = ln.exp());
        return f64::NEG_INFINITY;
    }
    softmax_in_place(row)
}

fn one_hot(row: &mut [f64], k: usize) {
    row.fill(0.0);
    row[k] = 1.0;
}

impl Problem for OneTopic<'_> {
    type Model = State;
    type Statistics = Counts;
    type Error = Infallible;

    fn e_step(&self, state: &State) -> Result<Expected<Counts>, Infallible> {
        let (proportions, ln) = self.responsibilities(state);
        Ok(Expected::new(self.counted(&proportions), ln.iter().sum()))
    }

    /// A topic without tokens keeps its words, unless the prior says what they are.
    fn m_step(&self, counts: &Counts, previous: &State) -> Result<State, Infallible> {
        let weights: Vec<f64> = counts.documents.iter().map(|n| n + self.added_weight).collect();
        let ln_all = weights.iter().sum::<f64>().ln();
        let mut ln_word_topic = counts.word_topic.clone();
        let words = ln_word_topic.rows() as f64;
        let totals = ln_word_topic.column_sums().into_iter().map(|sum| sum + words * self.added_word);
        let totals: Vec<f64> = totals.collect();
        ln_word_topic.for_each_row(|w, row| {
            for ((ln, &total), &before) in row.iter_mut().zip(&totals).zip(previous.ln_word_topic.numbers(w))
            {
                *ln = if total > 0.0 { ((*ln + self.added_word) / total).ln() } else { before };
            }
        });
        Ok(State { ln_weights: weights.iter().map(|weight| weight.ln() - ln_all).collect(), ln_word_topic })
    }

    fn ln_prior(&self, state: &State) -> f64 {
        let weights = if self.added_weight == 0.0 {
            0.0
        } else {
            self.added_weight * state.ln_weights.iter().sum::<f64>()
        };
        if self.added_word == 0.0 {
            return weights;
        }
        weights + self.added_word * state.ln_word_topic.column_sums().iter().sum::<f64>()
    }
}

impl Classify for OneTopic<'_> {
    fn classify(&self, state: &State) -> Result<Expected<Counts>, Infallible> {
        let mut rows = self.ln_joints(state);
        let mut ln = 0.0;
        for d in 0..rows.rows() {
            let row = rows.numbers_mut(d);
            let best = (1..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best });
            ln += row[best];
            one_hot(row, best);
        }
        Ok(Expected::new(self.counted(&rows), ln))
    }
}

impl Impute for OneTopic<'_> {
    fn impute<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Result<Expected<Counts>, Infallible> {
        let (mut rows, ln) = self.responsibilities(state);
        for d in 0..rows.rows() {
            let row = rows.numbers_mut(d);
            let drawn = pick(row, rng);
            one_hot(row, drawn);
        }
        Ok(Expected::new(self.counted(&rows), ln.iter().sum()))
    }
}

/// Draws an index by probabilities that sum to one.
pub(super) fn pick<R: Rng + ?Sized>(probabilities: &[f64], rng: &mut R) -> usize {
    choose(probabilities, rng.random()).unwrap_or_default()
}
