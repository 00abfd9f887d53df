//! `posterior classify predict`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::bayes::Said;
use super::labels;
pub(crate) use super::model_file::AREA;
use super::model_file::{ModelFile, Predicted};
use crate::args::{ClassifyFile, ClassifyPredict, TableArgs};
use crate::failure::Failure;
use crate::outcome::OutcomeKind;
use crate::output::{percent, shortest};
use crate::predictions_file::{NAME, RowKeys};
use crate::run::Run;
use crate::scores::{OutcomeScores, Scores, most_probable};
use crate::text_table;

#[derive(Serialize)]
struct Prediction {
    line: u64,
    /// None if no class explains the row.
    class: Option<String>,
    probability: Option<f64>,
    probabilities: BTreeMap<String, f64>,
    /// Words that the model does not know, or values that are missing.
    unknown: u64,
}

#[derive(Serialize)]
struct Answer {
    predictions: Vec<Prediction>,
    /// How well the rows were predicted whose class the table has.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Scores>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(args: &ClassifyPredict) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &[NAME])?;
    let file = ModelFile::read(&args.model)?;
    let table = file.rows(&args.data, &args.file)?;
    if let Some(separator) = &file.separator {
        return labels::predict(args, &file, separator, &table, &run);
    }
    let Predicted { said, unknown } = file.predict(&table, &args.file)?;
    let scored = file.scored(&table, &said)?;
    let scores = scored.as_ref().and_then(|own| Scores::of_classes(&own.rows));
    let warnings: Vec<String> = scored.and_then(|own| own.caution).into_iter().collect();
    run.notes(&warnings);
    let prediction = |(row, (said, unknown)): (usize, (Said, u64))| {
        let best = said.as_deref().map(most_probable);
        let probabilities = said.iter().flatten().copied();
        Prediction {
            line: table.line(row),
            class: best.map(|best| file.classes[best].clone()),
            probability: said.as_ref().zip(best).map(|(said, best)| said[best]),
            probabilities: file.classes.iter().cloned().zip(probabilities).collect(),
            unknown,
        }
    };
    let predictions = said.into_iter().zip(unknown).enumerate().map(prediction).collect();
    let answer = Answer { predictions, scores, warnings };
    run.write(NAME, |folder| {
        let p = file.classes.iter().map(|name| format!("p_{name}"));
        let header = std::iter::once("predicted".to_owned()).chain(p);
        let cells = |own: &Prediction| {
            let class = own.class.clone().unwrap_or_default();
            let probability =
                |name: &String| own.probabilities.get(name).copied().map_or_else(String::new, shortest);
            let beside = [own.unknown.to_string(), own.line.to_string()];
            std::iter::once(class).chain(file.classes.iter().map(probability)).chain(beside).collect()
        };
        let header = header.chain(["unknown", "line"].map(str::to_owned));
        RowKeys::of(&table, [&file.label])?.put(folder, NAME, header, answer.predictions.iter().map(cells))
    })?;
    run.print(|| &answer, || text(&answer))
}

/// What a saved model says of the classes of a table.
pub(crate) fn outcome_scores(path: &Path, data: &Path, table: &TableArgs) -> Result<OutcomeScores, Failure> {
    let model = ModelFile::read(path)?;
    if model.separator.is_some() {
        let message = format!(
            "{}: a model of several labels a row: `posterior classify eval` scores it",
            path.display()
        );
        return Err(Failure::data(message));
    }
    let file = ClassifyFile { table: table.clone(), ..ClassifyFile::default() };
    let rows = model.rows(data, &file)?;
    let outcomes = model.outcomes(&rows)?.ok_or_else(|| OutcomeKind::missing(&rows.source, &model.label))?;
    let said = model.predict(&rows, &file)?.said;
    let ln_scores = outcomes.iter().zip(&said).map(|(outcome, said)| match said {
        _ if outcome.is_nan() => f64::NAN,
        Some(said) => said[*outcome as usize].ln(),
        None => f64::NEG_INFINITY,
    });
    let ln_scores = ln_scores.collect();
    let kind = OutcomeKind::Class(model.classes);
    Ok(OutcomeScores {
        model: path.display().to_string(),
        data: rows.source,
        y: model.label,
        kind,
        ln_scores,
    })
}

fn text(answer: &Answer) -> String {
    let row = |own: &Prediction| {
        let class = own.class.clone().unwrap_or_else(|| "(none)".to_owned());
        let probability = own.probability.map_or_else(|| "-".to_owned(), percent);
        vec![own.line.to_string(), class, probability, own.unknown.to_string()]
    };
    let rows: Vec<Vec<String>> = answer.predictions.iter().map(row).collect();
    let mut text = text_table::right(&["line", "class", "probability", "unknown"], rows);
    if let Some(scores) = &answer.scores {
        text.push('\n');
        text += &text_table::pairs(&scores.facts());
    }
    text
}
