//! The file of a model: the names of its classes and what it fitted.

use std::path::Path;

use posterior::table::DataFrame;
use serde::{Deserialize, Serialize};

use super::bayes::Said;
use super::data_input;
use super::features::Features;
use super::model::Fitted;
use crate::args::ClassifyFile;
use crate::failure::Failure;
use crate::model_file;
use crate::outcome::OutcomeKind;

pub(crate) const AREA: &str = "classify";

/// What `classify fit` leaves for `classify predict`, `eval` and `update`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    /// The column of the classes, or of the labels.
    pub(super) label: String,
    /// Between labels, where a row may have several.
    #[serde(default)]
    pub(super) separator: Option<String>,
    /// Or the labels.
    pub(super) classes: Vec<String>,
    pub(super) features: Features,
    /// One of all classes; of several labels one for each of them, that it is absent or there.
    pub(super) models: Vec<Fitted>,
}

/// What a model of classes, or each of several models, says of the rows of a table.
pub(super) struct Predicted<T> {
    pub(super) said: Vec<T>,
    /// How many words of each row are not known, or values missing.
    pub(super) unknown: Vec<u64>,
}

impl ModelFile {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, own): (_, Self) = model_file::read(path, AREA)?;
        own.check().map(|()| own).map_err(|why| model_file::no_model(&source, AREA, &why))
    }

    fn check(&self) -> Result<(), String> {
        self.features.check()?;
        let (models, classes) = match self.separator {
            None => (1, self.classes.len()),
            Some(_) => (self.classes.len(), 2),
        };
        if self.models.len() != models {
            return Err(format!("{} models where there should be {models}", self.models.len()));
        }
        self.models.iter().try_for_each(|own| own.check(&self.features, classes))
    }

    /// The columns of a table that it needs, and that of the classes where the table has it.
    pub(super) fn rows(&self, path: &Path, file: &ClassifyFile) -> Result<DataFrame, Failure> {
        data_input::read(path, file, |header| {
            let label = header.iter().filter(|name| **name == self.label).cloned();
            self.features.columns(file).into_iter().chain(label).collect()
        })
    }

    /// What each of its models says of the rows of a table.
    pub(super) fn predict_each(
        &self,
        table: &DataFrame,
        file: &ClassifyFile,
    ) -> Result<Predicted<Vec<Said>>, Failure> {
        self.features.content().check_options(None)?;
        let inputs = self.features.of_new(table, file)?;
        let said = self.models.iter().map(|own| own.predict(&table.source, &self.features, &inputs));
        Ok(Predicted { said: said.collect::<Result<_, Failure>>()?, unknown: inputs.unknown() })
    }

    /// What its model says of the rows of a table, where a row has one class.
    pub(super) fn predict(&self, table: &DataFrame, file: &ClassifyFile) -> Result<Predicted<Said>, Failure> {
        let Predicted { mut said, unknown } = self.predict_each(table, file)?;
        Ok(Predicted { said: said.pop().unwrap_or_default(), unknown })
    }

    /// The place of the class of each row, NaN where it is missing; none where the table has no classes.
    pub(super) fn outcomes(&self, table: &DataFrame) -> Result<Option<Vec<f64>>, Failure> {
        let there = table.header().contains(&self.label);
        let kind = OutcomeKind::Class(self.classes.clone());
        there.then(|| kind.of_new(table, &self.label)).transpose()
    }

    /// The rows whose class is known: its place, and the probabilities of all; a row that no class explains
    /// gives none to any.
    pub(super) fn known(&self, outcomes: &[f64], said: &[Said]) -> Vec<(usize, Vec<f64>)> {
        let rows = outcomes.iter().zip(said).filter(|(outcome, _)| !outcome.is_nan());
        let row = |(outcome, said): (&f64, &Said)| {
            let none = || vec![0.0; self.classes.len()];
            (*outcome as usize, said.clone().unwrap_or_else(none))
        };
        rows.map(row).collect()
    }
}
