//! What topics predict of documents whose response is not known.

use posterior::dist::interval;
use posterior::topics::Corpus;
use posterior::topics::supervised_topics::ResponsePrediction;
use rayon::prelude::*;
use serde::Serialize;

use super::fitted_model::FittedModel;
use crate::failure::{Failure, refused};
use crate::output::shortest;
use crate::output_folder::OutputFolder;

/// The probability of the intervals.
const LEVEL: f64 = 0.9;

/// The response of a document as it is predicted.
#[derive(Debug, Serialize)]
pub(super) struct Predicted {
    pub(super) document: String,
    /// The expected response, of a binary one the probability of 1; none of a document without words.
    pub(super) prediction: Option<f64>,
    /// The ends of the interval that holds a number with a probability of 90 %.
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

/// Predictions of these documents, if the model predicts a response.
pub(super) fn predictions(
    model: &FittedModel,
    corpus: &Corpus,
    rows: &[usize],
    seed: u64,
) -> Result<Option<Vec<Predicted>>, Failure> {
    let FittedModel::Supervised(model) = model else { return Ok(None) };
    let one = |&d: &usize| -> Result<Predicted, Failure> {
        let (document, name) = (corpus.document(d), corpus.names()[d].clone());
        if document.tokens() == 0 {
            return Ok(Predicted { document: name, prediction: None, low: None, high: None });
        }
        let predicted = model.predict(document, seed)?;
        let ends = match &predicted {
            ResponsePrediction::Number(number) => Some(interval(number, LEVEL).map_err(refused)?),
            _ => None,
        };
        let (low, high) = (ends.map(|ends| ends[0]), ends.map(|ends| ends[1]));
        Ok(Predicted { document: name, prediction: Some(predicted.mean()), low, high })
    };
    rows.par_iter().map(one).collect::<Result<Vec<_>, _>>().map(Some)
}

/// Writes `predictions.csv`.
pub(super) fn write(folder: &OutputFolder, predicted: &[Predicted]) -> Result<(), Failure> {
    let cell = |number: Option<f64>| number.map_or_else(String::new, shortest);
    let rows = predicted
        .iter()
        .map(|own| [own.document.clone(), cell(own.prediction), cell(own.low), cell(own.high)]);
    folder.put_table("predictions.csv", ["document", "prediction", "low", "high"], rows)
}
