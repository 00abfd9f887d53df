//! `posterior regress predict`.

use std::path::Path;

use serde::Serialize;

use super::answer::{Answer, Intervals, scores};
pub(crate) use super::model::AREA;
use super::model::{Known, Model};
use super::{network, ordinal, report, text};
use crate::args::{Format, MissingRows, RegressPredict, TableArgs};
use crate::failure::Failure;
use crate::level::Level;
use crate::outcome::OutcomeKind;
use crate::run::Run;
use crate::scores::OutcomeScores;
use crate::{model_file, predictions_file};

/// Predictions of new rows; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output {
    model: String,
    /// The column of the outcome.
    y: String,
    #[serde(flatten)]
    answer: Answer,
}

/// Runs the verb.
pub(crate) fn run(args: &RegressPredict) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    run.claim(args.input.out.as_deref(), &[predictions_file::NAME])?;
    let (source, model): (_, Model) = model_file::read(&args.input.model, AREA)?;
    let missing_rows = args.missing_rows.na;
    let rows =
        model.coding.open(&args.input.data, &args.input.table, missing_rows, &model.y, &model.outcome)?;
    run.notes(rows.left_out.as_slice());
    let level = args.level.level;
    let details = args.input.out.is_some() || args.input.common.format == Format::Json;
    let predictions = model.known.predict(&model.outcome, &rows.values, rows.wanted(details, level))?;
    let classes = model.outcome.classes();
    let answer = Answer {
        family: model.family,
        engine: model.engine,
        rows: rows.values.nrows(),
        positive_class: (classes.len() == 2).then(|| classes[1].clone()),
        classes: classes.to_vec(),
        intervals: match model.known {
            Known::Network(_) => network::intervals(&model.outcome, level),
            Known::Ordinal(_) => ordinal::intervals(&model.outcome, level),
            Known::Generalized(ref known) => Intervals::of(&model.outcome, known.taken_as_known(), level),
            Known::Sparse(ref known) => known.intervals(&model.outcome, level),
            Known::Hierarchical(ref known) => known.intervals(&model.outcome, level),
            _ => Intervals::of(&model.outcome, &[], level),
        },
        scores: rows.outcomes.as_ref().and_then(|all| scores(&model.outcome, all, &predictions)),
        predictions,
        row_numbers: rows.keys.numbers.clone(),
        ..Answer::default()
    };
    run.write(predictions_file::NAME, |folder| report::put_predictions(folder, &rows.keys, &answer))?;
    let output = Output { model: source, y: model.y, answer };
    run.print(|| &output, || text::of_predictions(&rows.source, &output.y, &output.answer))
}

/// What a saved model says of the outcomes of a table.
pub(crate) fn outcome_scores(path: &Path, data: &Path, table: &TableArgs) -> Result<OutcomeScores, Failure> {
    let (source, model): (_, Model) = model_file::read(path, AREA)?;
    // Models on one table are compared row by row.
    let rows = model.coding.open(data, table, MissingRows::Error, &model.y, &model.outcome)?;
    let outcomes = rows.outcomes.as_ref().ok_or_else(|| OutcomeKind::missing(&rows.source, &model.y))?;
    let predictions =
        model.known.predict(&model.outcome, &rows.values, rows.wanted(false, Level::default()))?;
    let ln_scores = outcomes.iter().zip(&predictions).map(|(outcome, own)| match &model.outcome {
        _ if outcome.is_nan() => f64::NAN,
        OutcomeKind::Class(_) => own.of_classes()[*outcome as usize].ln(),
        OutcomeKind::Number | OutcomeKind::Count => own.ln_score.unwrap_or(f64::NEG_INFINITY),
    });
    let ln_scores = ln_scores.collect();
    Ok(OutcomeScores { model: source, data: rows.source, y: model.y, kind: model.outcome, ln_scores })
}
