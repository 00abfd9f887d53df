//! The file of a model: the names of its classes and what it fitted.

use std::path::Path;

use posterior::table::DataFrame;
use serde::{Deserialize, Serialize};

use super::bayes::Said;
use super::data_input;
use super::features::Features;
use super::model::{Fitted, Model};
use crate::args::ClassifyFile;
use crate::failure::Failure;
use crate::model_file;
use crate::outcome::OutcomeKind;
use crate::output::grouped;

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

/// Rows with their classes and what was said of them.
pub(super) struct ScoredRows {
    pub(super) rows: Vec<(usize, Vec<f64>)>,
    pub(super) caution: Option<String>,
}

/// Classes that a note names.
const NAMED: usize = 3;

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
        if self.models.iter().any(|own| matches!(own.model, Model::Logistic(_))) {
            self.features.complete(table)?;
        }
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

    /// The rows that have a class: its place, and the probabilities of all; a row that no class explains
    /// gives none to any. The place of a class that the model never saw is the number of classes. None where
    /// the table has no classes.
    pub(super) fn scored(&self, table: &DataFrame, said: &[Said]) -> Result<Option<ScoredRows>, Failure> {
        if !table.header().contains(&self.label) {
            return Ok(None);
        }
        let labels = table.texts_or_missing(&self.label)?;
        let row = |(label, said): (Option<&str>, &Said)| {
            let none = || vec![0.0; self.classes.len()];
            label.map(|label| (self.place(label), said.clone().unwrap_or_else(none)))
        };
        let rows = labels.iter().copied().zip(said).filter_map(row).collect();
        Ok(Some(ScoredRows { rows, caution: self.unseen(labels.into_iter().flatten()) }))
    }

    /// The place of a class; of one that the model never saw the number of classes.
    pub(super) fn place(&self, label: &str) -> usize {
        self.classes.iter().position(|own| own == label).unwrap_or(self.classes.len())
    }

    /// What to say of rows of classes that the model never saw, if there are some.
    pub(super) fn unseen<'a>(&self, labels: impl Iterator<Item = &'a str>) -> Option<String> {
        let (mut rows, mut names) = (0, Vec::new());
        for label in labels.filter(|label| self.place(label) == self.classes.len()) {
            rows += 1;
            if !names.contains(&label) {
                names.push(label);
            }
        }
        let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("{name:?}")).collect();
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (rows > 0).then(|| {
            format!(
                "rows of a class that the model never saw: {} ({}{more}); they count as wrong, and the mean ln loss is without them",
                grouped(rows),
                named.join(", ")
            )
        })
    }
}
