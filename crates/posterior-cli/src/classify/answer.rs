//! What `classify fit` and `classify eval` find, and how they tell it.

use std::fmt::Write as _;

use posterior::evaluation::Reliability;
use posterior::table::DataFrame;
use serde::Serialize;

use super::data_input::{self, Content};
use super::features::Features;
use super::model::{Learned, Lesson};
use super::model_file::ModelFile;
use super::recipe::Recipe;
use super::reliability::{self, Group};
use super::scores::{CLASS_COLUMNS, Scores, class_rows};
use super::telling::{self, TopWords};
use crate::args::{ClassifyCalibration, ClassifyFile, ClassifyMethod, ClassifyTask, name};
use crate::failure::Failure;
use crate::json::Number;
use crate::level::Level;
use crate::output::{grouped, percent, significant};
use crate::text_table;

/// What was found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) method: String,
    pub(super) smoothing: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<Penalty>,
    /// Distinct words, or columns.
    pub(super) vocabulary: usize,
    /// The folds, or the file of the model.
    pub(super) evaluated_on: String,
    #[serde(flatten)]
    pub(super) scores: Scores,
    /// Whether probabilities came true, in groups.
    pub(super) reliability: Vec<Group>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calibration: Option<Calibration>,
    /// The probability of intervals.
    pub(super) level: Level,
    pub(super) top_words: Vec<TopWords>,
    pub(super) warnings: Vec<String>,
}

/// What holds the coefficients of a logistic regression back.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Penalty {
    strength: f64,
    mixing: f64,
    /// Coefficients that are not 0.
    nonzero: usize,
}

/// How probabilities were mapped, and how good they were before.
#[derive(Debug, Serialize)]
pub(super) struct Calibration {
    pub(super) method: String,
    pub(super) before: Before,
}

/// Scores without the map.
#[derive(Debug, Serialize)]
pub(super) struct Before {
    accuracy: f64,
    ln_loss: Number,
    brier: f64,
    calibration_error: f64,
    #[serde(skip)]
    pub(super) reliability: Reliability,
}

impl Calibration {
    fn of(method: ClassifyCalibration, before: Scores) -> Self {
        let Scores { accuracy, ln_loss, brier, calibration_error, reliability, .. } = before;
        let before = Before { accuracy, ln_loss, brier, calibration_error, reliability };
        Self { method: name(method), before }
    }
}

impl Answer {
    /// Each fold of the data predicted by a model of the others; also the model of all data.
    pub(super) fn by_folds(task: &ClassifyTask) -> Result<(Self, ModelFile), Failure> {
        let table = data_input::read(&task.data, &task.file, |header| {
            data_input::columns(task, &task.label, header)
        })?;
        let content = Content::of(task.recipe.method, &task.file, table.header());
        content.check_options(Some(&name(Recipe::method(&task.recipe, content))))?;
        let (names, labels) = table.classes(&task.label)?;
        let (features, inputs, note) =
            Features::learn(&table, &task.label, content, &task.file, &task.recipe)?;
        let recipe = Recipe::of(&task.recipe, content, &names, labels.len())?;
        if recipe.method == ClassifyMethod::Logistic {
            features.complete(&table)?;
        }
        let lesson = Lesson {
            source: &table.source,
            features: &features,
            inputs: &inputs,
            labels: &labels,
            classes: names.len(),
        };
        let Learned { fitted, held_out, uncalibrated } = lesson.learn(&recipe)?;
        let before = uncalibrated.map(|said| Scores::of(&names, &said, &labels)).transpose()?;
        let level = task.level.level;
        let (top_words, caution) = telling::of_classes(&names, &fitted.model, &lesson, &recipe, level)?;
        let scores = Scores::of(&names, &held_out, &labels)?;
        let answer = Self {
            method: name(recipe.method),
            smoothing: fitted.model.smoothing(),
            penalty: fitted.model.penalty().map(|(strength, mixing, nonzero)| Penalty {
                strength,
                mixing,
                nonzero,
            }),
            vocabulary: features.count(),
            evaluated_on: format!("{} folds", recipe.folds),
            reliability: reliability::groups(&scores.reliability, level),
            scores,
            calibration: before
                .zip(task.recipe.calibrate)
                .map(|(before, method)| Calibration::of(method, before)),
            level,
            top_words,
            warnings: note.into_iter().chain(recipe.caution()).chain(caution).collect(),
        };
        let label = task.label.clone();
        let file = ModelFile { label, separator: None, classes: names, features, models: vec![fitted] };
        Ok((answer, file))
    }

    /// All data predicted by the model of a file.
    pub(super) fn by_model(task: &ClassifyTask, file: &ModelFile, path: &str) -> Result<Self, Failure> {
        let table = data_input::read(&task.data, &task.file, |_| {
            let mut columns = file.features.columns(&task.file);
            columns.push(task.label.clone());
            columns
        })?;
        let evaluated_on = format!("{} by {path}", table.source);
        Self::of_table(file, &table, (&task.label, &task.file), evaluated_on, task.level.level)
    }

    /// The rows of a table with their classes, predicted by the model of a file.
    pub(super) fn of_table(
        file: &ModelFile,
        table: &DataFrame,
        (label, columns): (&str, &ClassifyFile),
        evaluated_on: String,
        level: Level,
    ) -> Result<Self, Failure> {
        let of_rows = table.labels(label)?;
        let labels: Vec<usize> = of_rows.iter().map(|own| file.place(own)).collect();
        let said = file.predict(table, columns)?.said;
        let scores = Scores::of(&file.classes, &said, &labels)?;
        let top_words = match file.models.first() {
            Some(own) => telling::of_model(&file.classes, &own.model, &file.features, level)?,
            None => Vec::new(),
        };
        Ok(Self {
            method: "model".to_owned(),
            smoothing: None,
            penalty: None,
            vocabulary: file.features.count(),
            evaluated_on,
            reliability: reliability::groups(&scores.reliability, level),
            scores,
            calibration: None,
            level,
            top_words,
            warnings: file.unseen(of_rows.into_iter()).into_iter().collect(),
        })
    }

    /// The same with what a later model says of itself.
    pub(super) fn of_model(self, file: &ModelFile) -> Result<Self, Failure> {
        let top_words = match file.models.first() {
            Some(own) => telling::of_model(&file.classes, &own.model, &file.features, self.level)?,
            None => Vec::new(),
        };
        Ok(Self { vocabulary: file.features.count(), top_words, ..self })
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
        if let Some(own) = &self.penalty {
            facts.push(("Penalty", significant(own.strength)));
            facts.push(("Coefficients that are not 0", grouped(own.nonzero as u64)));
        }
        if let Some(Calibration { method, before }) = &self.calibration {
            facts.push(("Calibrated by", method.clone()));
            facts.push(("Calibration error before", percent(before.calibration_error)));
            facts.push(("ln loss before", significant(before.ln_loss.0)));
        }
        if scores.unexplained > 0 {
            facts.push(("Rows that no class explains", grouped(scores.unexplained as u64)));
        }
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    pub(super) const fn is_logistic(&self) -> bool {
        self.penalty.is_some()
    }

    /// Scores, confusion, calibration and telling words, as text.
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
        text += "\ncalibration\n";
        let (header, rows) = reliability::table(&self.reliability, self.level);
        text += &text_table::aligned(&header, rows);
        for class in &self.top_words {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\nwords that tell {}", class.class);
            let (header, rows) = class.table(self.level);
            text += &text_table::aligned(&header, rows);
        }
        text
    }
}
