//! How well probabilities of spam did.

use posterior::evaluation::{Confusion, ProbabilityScores, Roc};
use posterior::report::PageTable;

use super::SPAM;
use crate::Outcome;

/// The scores of one model.
pub(super) struct Scores {
    pub(super) accuracy: f64,
    precision: f64,
    recall: f64,
    area: f64,
    ln_loss: f64,
    pub(super) calibration_error: f64,
    /// By what messages are, then by what they are taken for.
    counts: [[u64; 2]; 2],
}

impl Scores {
    pub(super) fn of(said: &[f64], labels: &[usize]) -> Outcome<Self> {
        let pairs = said.iter().zip(labels).map(|(&p, &label)| (label, usize::from(p > 0.5)));
        let confusion = Confusion::of(2, pairs)?;
        let mut probabilities = ProbabilityScores::new(10);
        for (&p, &label) in said.iter().zip(labels) {
            probabilities.push(&[1.0 - p, p], label)?;
        }
        let truth: Vec<bool> = labels.iter().map(|&label| label == SPAM).collect();
        Ok(Self {
            accuracy: confusion.accuracy().unwrap_or(f64::NAN),
            precision: confusion.precision(SPAM).unwrap_or(f64::NAN),
            recall: confusion.recall(SPAM).unwrap_or(f64::NAN),
            area: Roc::of(said, &truth)?.map_or(f64::NAN, |roc| roc.area()),
            ln_loss: probabilities.mean_ln_loss().unwrap_or(f64::NAN),
            calibration_error: probabilities.reliability().calibration_error().unwrap_or(f64::NAN),
            counts: [0, 1].map(|truth| [0, 1].map(|taken| confusion.count(truth, taken))),
        })
    }

    /// A row of a table.
    pub(super) fn cells(&self, name: &str) -> Vec<String> {
        let all =
            [self.accuracy, self.precision, self.recall, self.area, self.ln_loss, self.calibration_error];
        [name.to_owned()].into_iter().chain(all.map(|value| format!("{value:.4}"))).collect()
    }

    /// The table of confusions.
    pub(super) fn confusion(&self) -> PageTable {
        let mut table = PageTable::with_columns(&["", "taken for good", "taken for spam"]);
        for (name, row) in ["good", "spam"].into_iter().zip(&self.counts) {
            table.rows.push(vec![name.to_owned(), row[0].to_string(), row[1].to_string()]);
        }
        table
    }
}
