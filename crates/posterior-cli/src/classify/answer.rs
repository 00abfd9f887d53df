//! What `classify fit` and `classify eval` find, and how they tell it.

use std::fmt::Write as _;

use serde::Serialize;

use super::classifier::{Classifier, columns, learn};
use super::data_input;
use super::model_file::ModelFile;
use super::scores::{CLASS_COLUMNS, Scores, TopWord, TopWords, class_rows, top_words};
use crate::args::{ClassifyTask, name};
use crate::failure::Failure;
use crate::level::Level;
use crate::output::{grouped, percent, significant};
use crate::text_table;

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
    /// The probability of intervals.
    pub(super) level: Level,
    pub(super) top_words: Vec<TopWords>,
    pub(super) warnings: Vec<String>,
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
            level: task.level.level,
            top_words: top_words(&names, &learned.classifier, task.level.level)?,
            warnings: learned.note.into_iter().collect(),
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
            level: task.level.level,
            top_words: top_words(&file.classes, &file.classifier, task.level.level)?,
            warnings: Vec::new(),
        })
    }

    /// What is worth knowing at a glance.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let scores = &self.scores;
        let mut facts = vec![
            ("Accuracy", percent(scores.accuracy)),
            ("ln loss of a row", significant(scores.ln_loss.0)),
            ("Brier score", significant(scores.brier)),
            ("Calibration error", percent(scores.calibration_error)),
            ("Evaluated on", self.evaluated_on.clone()),
            ("Method", self.method.clone()),
            ("Words or columns", grouped(self.vocabulary as u64)),
        ];
        facts.extend(self.smoothing.map(|smoothing| ("Smoothing", significant(smoothing))));
        if scores.unexplained > 0 {
            facts.push(("Rows that no class explains", grouped(scores.unexplained as u64)));
        }
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Scores, confusion and telling words, as text.
    pub(super) fn text(&self) -> String {
        let facts: Vec<(String, String)> =
            self.facts().into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        let mut text = text_table::pairs(&facts);
        let scores = &self.scores;
        text += "\n";
        text += &text_table::aligned(&CLASS_COLUMNS, class_rows(scores));
        text += "\nconfusion matrix\n";
        let names: Vec<&str> = scores.classes.iter().map(|own| own.class.as_str()).collect();
        let header: Vec<&str> = std::iter::once("truth").chain(names.iter().copied()).collect();
        let row = |(name, row): (&&str, &Vec<u64>)| {
            std::iter::once((*name).to_owned()).chain(row.iter().map(|&count| grouped(count))).collect()
        };
        text += &text_table::aligned(&header, names.iter().zip(&scores.confusion).map(row).collect());
        let [low, high] = &self.level.percents();
        for class in &self.top_words {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\nwords that tell {}", class.class);
            let row = |own: &TopWord| {
                let [low, high] = own.interval;
                let numbers = [own.ln_odds, low, high].map(significant);
                std::iter::once(own.word.clone()).chain(numbers).collect()
            };
            let rows = class.words.iter().map(row).collect();
            text += &text_table::aligned(&["word", "ln odds", low, high], rows);
        }
        text
    }
}
