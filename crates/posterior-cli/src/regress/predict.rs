//! `posterior regress predict`.

use serde::Serialize;

use super::answer::{Answer, Intervals, scores};
use super::model::{AREA, Known, Model};
use super::{network, report, text};
use crate::args::{Format, RegressPredict};
use crate::failure::{Failure, refused};
use crate::run::Run;
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
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &[predictions_file::NAME])?;
    let (source, model): (_, Model) = model_file::read(&args.model, AREA)?;
    let rows = model.coding.open(&args.data, &args.table, &model.y, &model.outcome)?;
    let details = args.out.is_some() || args.common.format == Format::Json;
    let predictions =
        model.known.predict(&model.outcome, &rows.values, rows.wanted(details)).map_err(refused)?;
    let classes = model.outcome.classes();
    let answer = Answer {
        family: model.family,
        engine: model.engine,
        rows: rows.values.nrows(),
        positive_class: (classes.len() == 2).then(|| classes[1].clone()),
        classes: classes.to_vec(),
        intervals: match model.known {
            Known::Network(_) => network::intervals(&model.outcome),
            _ => Intervals::of(&model.outcome, &[]),
        },
        scores: rows.outcomes.as_ref().and_then(|all| scores(&model.outcome, all, &predictions)),
        predictions,
        ..Answer::default()
    };
    run.write(predictions_file::NAME, |folder| report::put_predictions(folder, &rows.keys, &answer))?;
    let output = Output { model: source, y: model.y, answer };
    run.print(|| &output, || text::of_predictions(&rows.source, &output.y, &output.answer))
}
