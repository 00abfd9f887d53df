//! What `classify fit` and `classify eval` find, and how they tell it.

use serde::Serialize;

use super::classifier::{Classifier, columns, learn};
use super::data_input;
use super::model_file::ModelFile;
use super::scores::{Scores, TopWords, top_words};
use crate::args::{ClassifyTask, name};
use crate::failure::Failure;

/// What was found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) method: String,
    pub(super) smoothing: Option<f64>,
    /// Distinct words, or columns.
    pub(super) vocabulary: usize,
    /// The folds, or the file of the model.
    pub(super) evaluated_on: String,
    #[serde(flatten)]
    pub(super) scores: Scores,
    pub(super) top_words: Vec<TopWords>,
}

impl Answer {
    /// Each fold of the data predicted by a model of the others; also the names of the classes, and the model
    /// of all data.
    pub(super) fn by_folds(task: &ClassifyTask) -> Result<(Self, Vec<String>, Classifier), Failure> {
        let table = data_input::read(&task.data, &task.file, |header| columns(task, header))?;
        let (names, labels) = table.classes(&task.label)?;
        let learned = learn(&table, &task.label, &labels, names.len(), &task.file, &task.recipe)?;
        let folds = usize::from(task.recipe.folds).min(labels.len());
        let answer = Self {
            method: name(task.recipe.method),
            smoothing: Some(learned.smoothing),
            vocabulary: learned.classifier.vocabulary(),
            evaluated_on: format!("{folds} folds"),
            scores: Scores::of(&names, &learned.held_out, &labels)?,
            top_words: top_words(&names, &learned.classifier)?,
        };
        Ok((answer, names, learned.classifier))
    }

    /// All data predicted by the model of a file.
    pub(super) fn by_model(task: &ClassifyTask, file: &ModelFile, path: &str) -> Result<Self, Failure> {
        let table = data_input::read(&task.data, &task.file, |_| {
            let mut columns = file.classifier.columns(&task.file);
            columns.push(task.label.clone());
            columns
        })?;
        // A label that the model does not know is the number after its classes: never predicted.
        let place =
            |label: &&str| file.classes.iter().position(|own| own == label).unwrap_or(file.classes.len());
        let labels: Vec<usize> = table.labels(&task.label)?.iter().map(place).collect();
        let said: Vec<_> =
            file.classifier.predict(&table, &task.file)?.into_iter().map(|(said, _)| said).collect();
        Ok(Self {
            method: "model".to_owned(),
            smoothing: None,
            vocabulary: file.classifier.vocabulary(),
            evaluated_on: format!("{} by {path}", table.source),
            scores: Scores::of(&file.classes, &said, &labels)?,
            top_words: top_words(&file.classes, &file.classifier)?,
        })
    }
}
