//! `posterior gp predict`.

use serde::Serialize;

use super::answer::Predicted;
use super::data_input::Places;
use super::model::{self, AREA, Model};
use super::{report, text};
use crate::args::GpPredict;
use crate::failure::Failure;
use crate::run::Run;
use crate::scores::Scores;
use crate::{model_file, predictions_file};

/// Predictions at new places; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
struct Output<'a> {
    model: String,
    /// The column of the outputs.
    y: &'a str,
    likelihood: &'static str,
    method: &'a str,
    rows: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    classes: &'a [String],
    parameters_taken_as_known: bool,
    predictions: &'a [Predicted],
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
        (Some(path), _) => data.open_places(path, &args.table)?,
        (None, Some(grid)) => data.grid(grid)?,
        (None, None) => Places::default(),
    };
    let (mut answer, _) = model::answer(&settings, &data, &places.inputs)?;
    answer.score(places.outcomes.as_deref());
    run.write(predictions_file::NAME, |folder| report::put_predictions(folder, &places.keys, &answer))?;
    let output = Output {
        model: source,
        y: &data.y_name,
        likelihood: answer.likelihood,
        method: &answer.method,
        rows: places.inputs.nrows(),
        classes: &answer.classes,
        parameters_taken_as_known: true,
        predictions: &answer.predictions,
        scores: answer.scores.as_ref(),
    };
    run.print(|| &output, || text::of_predictions(&data, &answer))
}
