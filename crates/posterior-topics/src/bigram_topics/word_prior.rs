//! The Dirichlet concentrations of words.

use super::options::{BigramTopicsOptions, WordPrior};
use crate::distributions::column_sums;

/// beta_kw and its sums over the words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Concentrations {
    topics: usize,
    kind: WordPrior,
    /// A number a word, or words x topics, row by row.
    values: Vec<f64>,
    totals: Vec<f64>,
}

impl Concentrations {
    pub(super) fn symmetric(words: usize, options: &BigramTopicsOptions) -> Self {
        let size = if options.word_prior == WordPrior::Shared { words } else { words * options.topics };
        Self::new(options.topics, options.word_prior, vec![options.beta; size])
    }

    /// A number a word, or words x topics, row by row; at least one of them.
    pub(super) fn new(topics: usize, kind: WordPrior, values: Vec<f64>) -> Self {
        let width = if kind == WordPrior::Shared { 1 } else { topics };
        let mut totals = column_sums(&values, width);
        totals.resize(topics, totals[0]);
        Self { topics, kind, values, totals }
    }

    pub(super) const fn kind(&self) -> WordPrior {
        self.kind
    }

    /// What [`new`](Self::new) takes.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// beta_kw.
    #[inline]
    pub(super) fn of(&self, word: usize, topic: usize) -> f64 {
        match self.kind {
            WordPrior::Shared => self.values[word],
            WordPrior::PerTopic => self.values[word * self.topics + topic],
        }
    }

    /// The sum of beta_kw over the words, for each topic.
    pub(super) fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// The same kind of prior with a column of words for each of its distributions: one, or one a topic.
    pub(super) fn with_columns(&self, columns: &[Vec<f64>]) -> Self {
        let words = columns[0].len();
        let values = (0..words).flat_map(|w| columns.iter().map(move |column| column[w])).collect();
        Self::new(self.topics, self.kind, values)
    }

    /// The columns of [`with_columns`](Self::with_columns).
    pub(super) fn columns(&self) -> Vec<Vec<f64>> {
        let width = if self.kind == WordPrior::Shared { 1 } else { self.topics };
        (0..width).map(|k| self.values.iter().skip(k).step_by(width).copied().collect()).collect()
    }
}
