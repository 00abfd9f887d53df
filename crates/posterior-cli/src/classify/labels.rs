//! Rows that may have several labels: one classifier for each label, that it is there.

mod scores;
mod tell;

use std::collections::BTreeSet;

use posterior::table::{DataFrame, distinct_labels};
use posterior::text::naive_bayes::ClassWeights;
use serde::Serialize;

pub(super) use self::scores::LabelScores;
pub(super) use self::tell::{NAMES, predict, tell};
use super::bayes::Said;
use super::data_input::{self, Content};
use super::features::Features;
use super::model::{Learned, Lesson};
use super::model_file::ModelFile;
use super::recipe::Recipe;
use super::reliability::{self, Group};
use super::telling::{self, TopWords};
use crate::args::{ClassifyEval, ClassifyFile, ClassifyMethod, ClassifyTask, name, uses};
use crate::failure::Failure;
use crate::level::Level;
use crate::output::grouped;
use crate::run::Run;

/// What was found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    method: String,
    /// Distinct words, or columns.
    vocabulary: usize,
    evaluated_on: String,
    #[serde(flatten)]
    pub(super) scores: LabelScores,
    /// Whether labels were there as often as said, in groups.
    pub(super) reliability: Vec<Group>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<String>,
    pub(super) level: Level,
    pub(super) top_words: Vec<TopWords>,
    pub(super) warnings: Vec<String>,
}

/// Runs `fit`.
pub(super) fn fit(task: &ClassifyTask, mut run: Run<'_>) -> Result<(), Failure> {
    run.claim(task.out.as_deref(), NAMES)?;
    let (answer, file) = run.during("fitting", || Answer::by_folds(task))?;
    tell(&answer, Some(&file), &run)
}

/// Runs `eval`.
pub(super) fn eval(args: &ClassifyEval, model: Option<ModelFile>, mut run: Run<'_>) -> Result<(), Failure> {
    let task = &args.task;
    run.claim(task.out.as_deref(), NAMES)?;
    let answer = match model.zip(args.model.as_deref()) {
        None => run.during("fitting", || Answer::by_folds(task))?.0,
        Some((mut file, path)) => {
            let of_a_row = if file.separator.is_some() { "several" } else { "one" };
            uses::check_facts(&[("labels-of-a-row", of_a_row)])?;
            if let Some(own) = &task.labels {
                file.label.clone_from(own);
            }
            let table = file.rows(&task.data, &task.file)?;
            let separator = file.separator.clone().unwrap_or_default();
            let sets = sets(&table, &file.label, &separator)?;
            let evaluated_on = format!("{} by {}", table.source, path.display());
            Answer::of_table(&file, &table, (&sets, &task.file), (evaluated_on, task.level.level))?
        }
    };
    tell(&answer, None, &run)
}

/// The labels of each row; an empty cell, or one that marks a missing value, has none.
pub(super) fn sets(
    table: &DataFrame,
    column: &str,
    separator: &str,
) -> Result<Vec<BTreeSet<String>>, Failure> {
    if separator.is_empty() {
        return Err(Failure::Usage("--separator: expected a text".to_owned()));
    }
    let set = |cell: Option<&str>| {
        let parts = cell.unwrap_or_default().split(separator).map(str::trim);
        parts.filter(|own| !own.is_empty()).map(str::to_owned).collect()
    };
    Ok(table.texts_or_missing(column)?.into_iter().map(set).collect())
}

impl Answer {
    /// Each fold of the data predicted by models of the others; also the models of all data.
    fn by_folds(task: &ClassifyTask) -> Result<(Self, ModelFile), Failure> {
        let label = task.labels.as_deref().unwrap_or_default();
        let table =
            data_input::read(&task.data, &task.file, |header| data_input::columns(task, label, header))?;
        let content = Content::of(task.recipe.method, &task.file, table.header());
        content.check_options(Some(&name(Recipe::method(&task.recipe, content))))?;
        let sets = sets(&table, label, &task.separator)?;
        let names = distinct_labels(sets.iter().flatten().map(String::as_str));
        if names.is_empty() {
            return Err(Failure::data(format!("{}: column {label}: no row has a label", table.source)));
        }
        let (features, inputs, note) = Features::learn(&table, label, content, &task.file, &task.recipe)?;
        let recipe = Recipe::of(&task.recipe, content, &names, sets.len())?;
        if recipe.method == ClassifyMethod::Logistic {
            features.complete(&table)?;
        }
        let level = task.level.level;
        let (mut models, mut said, mut top_words) = (Vec::new(), Vec::new(), Vec::new());
        let mut caution = None;
        for (place, own) in names.iter().enumerate() {
            let labels: Vec<usize> = sets.iter().map(|set| usize::from(set.contains(own))).collect();
            if labels.iter().all(|&label| label == 1) {
                let message = format!("{}: column {label}: every row has {own:?}", table.source);
                return Err(
                    Failure::data(message).with_hint("there is nothing to learn: leave the label out")
                );
            }
            let (source, features, inputs) = (table.source.as_str(), &features, &inputs);
            let lesson = Lesson { source, features, inputs, labels: &labels, classes: 2 };
            let weights = match &recipe.weights {
                ClassWeights::Given(all) => ClassWeights::Given(vec![1.0, all[place]]),
                other => other.clone(),
            };
            let recipe = Recipe { weights, ..recipe.clone() };
            let Learned { fitted, held_out, .. } = lesson.learn(&recipe)?;
            let pair = ["absent".to_owned(), own.clone()];
            let (words, rough) = telling::of_classes(&pair, &fitted.model, &lesson, &recipe, level)?;
            top_words.extend(words.into_iter().nth(1));
            caution = caution.or(rough);
            models.push(fitted);
            said.push(held_out);
        }
        let scores = LabelScores::of(&names, &said, &sets)?;
        let answer = Self {
            method: name(recipe.method),
            vocabulary: features.count(),
            evaluated_on: format!("{} folds", recipe.folds),
            reliability: reliability::groups(&scores.reliability, level),
            scores,
            calibration: task.recipe.calibrate.map(name),
            level,
            top_words,
            warnings: note.into_iter().chain(recipe.caution()).chain(caution).collect(),
        };
        let (label, separator) = (label.to_owned(), Some(task.separator.clone()));
        Ok((answer, ModelFile { label, separator, classes: names, features, models }))
    }

    /// The rows of a table with their labels, predicted by the models of a file.
    pub(super) fn of_table(
        file: &ModelFile,
        table: &DataFrame,
        (sets, columns): (&[BTreeSet<String>], &ClassifyFile),
        (evaluated_on, level): (String, Level),
    ) -> Result<Self, Failure> {
        let said = file.predict_each(table, columns)?.said;
        let scores = LabelScores::of(&file.classes, &said, sets)?;
        Ok(Self {
            method: "model".to_owned(),
            vocabulary: file.features.count(),
            evaluated_on,
            reliability: reliability::groups(&scores.reliability, level),
            scores,
            calibration: None,
            level,
            top_words: top_words(file, level)?,
            warnings: Vec::new(),
        })
    }

    fn is_logistic(&self) -> bool {
        self.method == "logistic"
    }

    /// What is worth knowing at a glance.
    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = self.scores.facts();
        facts.push(("Evaluated on".to_owned(), self.evaluated_on.clone()));
        facts.push(("Method".to_owned(), self.method.clone()));
        facts.push(("Words or columns".to_owned(), grouped(self.vocabulary as u64)));
        facts.extend(self.calibration.clone().map(|own| ("Calibrated by".to_owned(), own)));
        facts
    }

    /// The same with what a later model says of itself.
    pub(super) fn of_model(self, file: &ModelFile) -> Result<Self, Failure> {
        let top_words = top_words(file, self.level)?;
        Ok(Self { vocabulary: file.features.count(), top_words, ..self })
    }
}

fn top_words(file: &ModelFile, level: Level) -> Result<Vec<TopWords>, Failure> {
    let mut all = Vec::new();
    for (own, fitted) in file.classes.iter().zip(&file.models) {
        let pair = ["absent".to_owned(), own.clone()];
        all.extend(telling::of_model(&pair, &fitted.model, &file.features, level)?.into_iter().nth(1));
    }
    Ok(all)
}

/// The probability that a label is there; none if no class explains the row.
fn present(said: &Said) -> Option<f64> {
    said.as_ref().and_then(|own| own.get(1).copied())
}

/// A label is predicted where it is more probable than not.
fn is_predicted(said: &Said) -> bool {
    present(said).is_some_and(|p| p > 0.5)
}
