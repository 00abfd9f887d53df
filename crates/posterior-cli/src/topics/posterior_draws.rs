//! Parameters that were drawn from their posterior distribution: concentrations, coefficients of a response,
//! or the drift of words.

use std::fmt::Write as _;

use posterior::sampling::Draws;
use posterior::sampling::diagnostics::{ParameterSummary, Undefined};
use posterior_report::{PageTable, Section, TableColumn};
use serde::Serialize;

use super::fitted_model::FittedModel;
use crate::failure::Failure;
use crate::json;
use crate::output::{shortest, significant};
use crate::output_folder::OutputFolder;

/// The probability of the intervals.
const LEVEL: f64 = 0.9;

/// Effective draws below which an interval may be far from its probability.
pub(super) const FEW: f64 = 20.0;

/// What is known of a parameter.
#[derive(Debug, Serialize)]
pub(super) struct DrawnParameter {
    pub(super) parameter: String,
    #[serde(serialize_with = "json::number")]
    pub(super) mean: f64,
    #[serde(serialize_with = "json::number")]
    pub(super) sd: f64,
    /// The ends of the central interval of 90 %.
    #[serde(serialize_with = "json::number")]
    pub(super) low: f64,
    #[serde(serialize_with = "json::number")]
    pub(super) high: f64,
    /// As many independent draws know as much of the mean.
    #[serde(serialize_with = "json::number")]
    pub(super) effective_draws: f64,
}

impl DrawnParameter {
    fn of(summary: ParameterSummary) -> Self {
        let number = |value: Result<f64, Undefined>| value.unwrap_or(f64::NAN);
        Self {
            mean: number(summary.mean),
            sd: number(summary.sd),
            low: number(summary.low),
            high: number(summary.high),
            effective_draws: number(summary.ess_bulk),
            parameter: summary.name,
        }
    }
}

/// The parameters that a model has draws of.
pub(super) fn parameters(model: &FittedModel) -> Result<Option<Vec<DrawnParameter>>, Failure> {
    let Some(draws) = draws(model) else { return Ok(None) };
    let summary = draws.summary_of_level(LEVEL).map_err(|error| Failure::data(error.to_string()))?;
    Ok(Some(summary.parameters.into_iter().map(DrawnParameter::of).collect()))
}

fn draws(model: &FittedModel) -> Option<&Draws> {
    match model {
        FittedModel::Lda(model) => model.concentration_draws(),
        FittedModel::Supervised(model) => Some(model.coefficient_draws()),
        FittedModel::Dynamic(model) => Some(model.drift_draws()),
        _ => None,
    }
}

/// Writes `parameters.csv`.
pub(super) fn write(folder: &OutputFolder, parameters: &[DrawnParameter]) -> Result<(), Failure> {
    let rows = parameters.iter().map(|own| {
        let numbers = [own.mean, own.sd, own.low, own.high, own.effective_draws];
        std::iter::once(own.parameter.clone()).chain(numbers.map(shortest)).collect::<Vec<_>>()
    });
    let header = ["parameter", "mean", "sd", "low", "high", "effective_draws"];
    folder.put_table("parameters.csv", header, rows)
}

/// The same for the page.
pub(super) fn section(parameters: &[DrawnParameter]) -> Section {
    let columns = vec![
        TableColumn::text("Parameter"),
        TableColumn::number("mean"),
        TableColumn::number("from"),
        TableColumn::number("to"),
        TableColumn::number("effective draws"),
    ];
    let row = |own: &DrawnParameter| {
        let numbers = [own.mean, own.low, own.high, own.effective_draws];
        std::iter::once(own.parameter.clone()).chain(numbers.map(significant)).collect()
    };
    let text = "Drawn from their posterior distribution together with the topics: means, and intervals that hold a parameter with a \
                probability of 90 %. alpha_k is the concentration of topic k in a document, beta that of a word in a topic; eta_k is the \
                expected response of a document that is all of topic k, sigma the noise; drift is the variance of a step of words.";
    let table = PageTable { columns, rows: parameters.iter().map(row).collect() };
    Section::new("Parameters", text, table)
}

/// A line each.
pub(super) fn text(parameters: &[DrawnParameter]) -> String {
    let mut text = String::new();
    for own in parameters {
        let [mean, low, high] = [own.mean, own.low, own.high].map(significant);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<20} {mean}, 90 % from {low} to {high}", own.parameter);
    }
    text
}
