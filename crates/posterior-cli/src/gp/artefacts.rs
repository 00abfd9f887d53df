//! The files of a run: report, plots, tables as CSV.

use super::answer::{Answer, Values};
use super::data_input::Data;
use super::report::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::Run;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "predictions.csv",
    "hyperparameters.csv",
    "components.csv",
    "draws.svg",
    "function.svg",
    "residuals.svg",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Data,
    answer: &Answer,
    paths: &[Vec<f64>],
) -> Result<(), Failure> {
    write_predictions(folder, data, answer)?;
    let rows = answer.hyperparameters.iter().map(|own| {
        let error = own.standard_error.map_or_else(String::new, |error| error.to_string());
        [own.name.clone(), own.value.to_string(), error]
    });
    folder.put_table("hyperparameters.csv", ["name", "value", "standard_error_of_free"], rows)?;
    if !answer.components.is_empty() {
        let parts = answer.components.iter();
        let both = parts.flat_map(|own| ["mean", "variance"].map(|what| format!("{what} of {}", own.kernel)));
        let rows = answer.predictions.iter().enumerate().map(|(row, own)| {
            let parts = answer.components.iter().flat_map(move |part| [part.mean[row], part.variance[row]]);
            own.x.iter().copied().chain(parts).map(|cell| cell.to_string())
        });
        folder.put_table("components.csv", data.x_names.iter().cloned().chain(both), rows)?;
    }
    let (pictures, page) = report(run, data, answer, paths);
    folder.put_report(&pictures, &page)
}

/// The predictions, with what is not known about them; without a row where there are none.
fn write_predictions(folder: &OutputFolder, data: &Data, answer: &Answer) -> Result<(), Failure> {
    let Some(first) = answer.predictions.first() else { return folder.put_text("predictions.csv", "") };
    let named = |name: &str, count: usize| answer.named(name, "_", count);
    let mut header = data.x_names.clone();
    header.extend(named("mean", first.mean.all().len()));
    header.extend(named("variance", first.variance.all().len()));
    header.extend(named("probability", first.probability.as_ref().map_or(0, |p| p.all().len())));
    header.extend(first.response.map(|_| "response".to_owned()));
    if first.interval_90.is_some() {
        header.extend(["q05".to_owned(), "q95".to_owned()]);
    }
    let functions = first.function_interval_90.all().len();
    let ends = named("function_q05", functions).into_iter().zip(named("function_q95", functions));
    header.extend(ends.flat_map(|(low, high)| [low, high]));
    let rows = answer.predictions.iter().map(|own| {
        let probability = own.probability.iter().flat_map(Values::all);
        let numbers = own.x.iter().chain(own.mean.all()).chain(own.variance.all()).chain(probability);
        let ends = own.interval_90.iter().flatten().chain(own.function_interval_90.all().iter().flatten());
        numbers.chain(&own.response).chain(ends).map(f64::to_string)
    });
    folder.put_table("predictions.csv", header, rows)
}
