//! `posterior gp predict`.

use std::path::Path;

use serde::Serialize;

use super::answer::{Integration, Predicted};
use super::data_input::Places;
pub(crate) use super::model::AREA;
use super::model::{self, Model};
use super::settings::Settings;
use super::{report, text};
use crate::args::{GpPredict, MissingRows, TableArgs};
use crate::failure::Failure;
use crate::level::Level;
use crate::outcome::OutcomeKind;
use crate::run::Run;
use crate::scores::{OutcomeScores, Scores};
use crate::{model_file, predictions_file};

/// Predictions at new places; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output<'a> {
    model: String,
    /// The column of the outputs.
    y: &'a str,
    likelihood: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<&'a str>,
    method: &'a str,
    rows: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    classes: &'a [String],
    parameters_taken_as_known: bool,
    level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    integration: Option<Integration>,
    predictions: &'a [Predicted],
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_numbers: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a Scores>,
}

/// Runs the verb.
pub(crate) fn run(args: &GpPredict) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &[predictions_file::NAME])?;
    let (source, Model { settings, data }): (_, Model) = model_file::read(&args.model, AREA)?;
    data.check().map_err(|why| model_file::no_model(&source, AREA, why))?;
    let places = match (&args.data, &args.grid) {
        (Some(path), _) => data.open_places(path, &args.table, args.missing_rows.na)?,
        (None, Some(grid)) => data.grid(grid)?,
        (None, None) => Places::default(),
    };
    run.notes(places.left_out.as_slice());
    let settings = Settings { level: args.level.level, ..settings };
    let answered = run.during("predicting", || model::answer(&settings, &data, &places.inputs));
    let (mut answer, _) = answered?;
    answer.score(places.outcomes.as_deref());
    run.write(predictions_file::NAME, |folder| report::put_predictions(folder, &places.keys, &answer))?;
    let output = Output {
        model: source,
        y: &data.y_name,
        likelihood: answer.likelihood,
        time: answer.time.as_deref(),
        method: &answer.method,
        rows: places.inputs.nrows(),
        classes: &answer.classes,
        parameters_taken_as_known: answer.parameters_taken_as_known,
        level: answer.level,
        integration: answer.integration,
        predictions: &answer.predictions,
        row_numbers: places.keys.numbers.as_deref(),
        scores: answer.scores.as_ref(),
    };
    run.print(|| &output, || text::of_predictions(&data, &answer))
}

/// What a saved model says of the outcomes of a table.
pub(crate) fn outcome_scores(path: &Path, data: &Path, table: &TableArgs) -> Result<OutcomeScores, Failure> {
    let (source, Model { settings, data: seen }): (_, Model) = model_file::read(path, AREA)?;
    seen.check().map_err(|why| model_file::no_model(&source, AREA, why))?;
    // Models on one table are compared row by row.
    let places = seen.open_places(data, table, MissingRows::Error)?;
    let kind = seen.outputs.kind();
    let name = data.display().to_string();
    let outcomes = places.outcomes.as_ref().ok_or_else(|| OutcomeKind::missing(&name, &seen.y_name))?;
    let (answer, _) = model::answer(&settings, &seen, &places.inputs)?;
    let ln_scores = answer.ln_scores(outcomes).ok_or_else(|| {
        let message = format!("{source}: the noise of a new outcome is not known, so that it has no density");
        Failure::data(message).with_hint("fit with --noise, and not with --noise-column alone")
    })?;
    Ok(OutcomeScores { model: source, data: name, y: seen.y_name, kind, ln_scores })
}
