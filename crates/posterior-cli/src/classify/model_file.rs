//! The file of a model: the names of its classes and what it fitted.

use std::path::Path;

use posterior::table::DataFrame;
use serde::{Deserialize, Serialize};

use super::classifier::{Classifier, RowPosterior};
use super::data_input;
use crate::args::ClassifyFile;
use crate::failure::Failure;
use crate::model_file;
use crate::outcome::OutcomeKind;

pub(crate) const AREA: &str = "classify";

/// What `classify fit` leaves for `classify predict` and `classify eval`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    /// The column of the classes.
    pub(super) label: String,
    pub(super) classes: Vec<String>,
    pub(super) classifier: Classifier,
}

impl ModelFile {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, own): (_, Self) = model_file::read(path, AREA)?;
        let found = own.classifier.check(own.classes.len());
        found.map(|()| own).map_err(|why| model_file::no_model(&source, AREA, &why))
    }

    /// The columns of a table that it needs, and that of the classes where the table has it.
    pub(super) fn rows(&self, path: &Path, file: &ClassifyFile) -> Result<DataFrame, Failure> {
        data_input::read(path, file, |header| {
            let label = header.iter().filter(|name| **name == self.label).cloned();
            self.classifier.columns(file).into_iter().chain(label).collect()
        })
    }

    /// The place of the class of each row, NaN where it is missing; none where the table has no classes.
    pub(super) fn outcomes(&self, table: &DataFrame) -> Result<Option<Vec<f64>>, Failure> {
        let there = table.header().contains(&self.label);
        let kind = OutcomeKind::Class(self.classes.clone());
        there.then(|| kind.of_new(table, &self.label)).transpose()
    }

    /// The rows whose class is known: its place, and the probabilities of all; a row that no class explains
    /// gives none to any.
    pub(super) fn known(&self, outcomes: &[f64], said: &[RowPosterior]) -> Vec<(usize, Vec<f64>)> {
        let rows = outcomes.iter().zip(said).filter(|(outcome, _)| !outcome.is_nan());
        let row = |(outcome, (said, _)): (&f64, &RowPosterior)| {
            let none = || vec![0.0; self.classes.len()];
            (*outcome as usize, said.as_ref().map_or_else(none, |said| said.probabilities.clone()))
        };
        rows.map(row).collect()
    }
}
