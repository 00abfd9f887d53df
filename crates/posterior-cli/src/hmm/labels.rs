//! Labels of rows: what is known of their states.

use posterior::table::{DataFrame, distinct_labels};
use serde::Serialize;

use super::windows::{Window, cut};
use crate::failure::Failure;

/// What is known of the states of rows.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    /// What labels are called: those of the model first.
    pub(super) names: Vec<String>,
    /// The label of each row of each sequence, where there is one.
    pub(super) known: Vec<Vec<Option<usize>>>,
}

/// How often states are the ones that labels say.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Agreement {
    /// The rows with a label.
    pub(super) labelled: usize,
    /// The proportion of them whose state is the one of the label.
    pub(super) accuracy: f64,
}

impl Labels {
    /// The labels of a column; `states` are those of a model.
    pub(super) fn read(
        table: &DataFrame,
        column: &str,
        rows: &[Vec<usize>],
        states: &[String],
    ) -> Result<Self, Failure> {
        let cells = table.texts_or_missing(column)?;
        let new = cells.iter().flatten().copied().filter(|cell| states.iter().all(|own| own != cell));
        let names: Vec<String> = states.iter().cloned().chain(distinct_labels(new)).collect();
        if names.is_empty() {
            let source = &table.source;
            return Err(Failure::data(format!(
                "{source}: column {column}: expected labels, all cells are empty"
            )));
        }
        let place = |cell: Option<&str>| cell.and_then(|cell| names.iter().position(|own| own == cell));
        let known = rows.iter().map(|rows| rows.iter().map(|&row| place(cells[row])).collect()).collect();
        Ok(Self { names, known })
    }

    /// These parts.
    pub(super) fn parts(&self, parts: &[Window]) -> Self {
        Self { known: cut(&self.known, parts), ..self.clone() }
    }

    /// How many rows have no label.
    pub(super) fn gaps(&self) -> usize {
        self.known.iter().flatten().filter(|label| label.is_none()).count()
    }

    /// A state for each row: where there is no label that of the row before, or of the first with one.
    pub(super) fn filled(&self) -> Vec<Vec<usize>> {
        let fill = |known: &Vec<Option<usize>>| {
            let mut last = known.iter().flatten().next().copied().unwrap_or(0);
            let of_row = |label: &Option<usize>| {
                last = label.unwrap_or(last);
                last
            };
            known.iter().map(of_row).collect()
        };
        self.known.iter().map(fill).collect()
    }

    /// How often these states are the ones of the labels; `None` where there is no label.
    pub(super) fn agreement(&self, states: &[Vec<usize>]) -> Option<Agreement> {
        let pairs = self.known.iter().flatten().zip(states.iter().flatten());
        let (mut labelled, mut right) = (0_usize, 0_usize);
        for (label, state) in pairs.filter_map(|(label, state)| label.map(|label| (label, *state))) {
            labelled += 1;
            right += usize::from(label == state);
        }
        (labelled > 0).then(|| Agreement { labelled, accuracy: right as f64 / labelled as f64 })
    }
}
