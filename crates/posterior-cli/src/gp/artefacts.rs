//! The files of a run: report, plots, tables as CSV.

use std::fs::File;
use std::io::{self, BufWriter};

use super::answer::{Answer, Values};
use super::data_input::Data;
use super::report::{Shown, page};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

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
    data: &Data,
    answer: &Answer,
    shown: &Shown,
) -> Result<(), Failure> {
    folder.put("predictions.csv", |out| write_predictions(out, data, answer))?;
    folder.put("hyperparameters.csv", |out| write_hyperparameters(out, answer))?;
    if !answer.components.is_empty() {
        folder.put("components.csv", |out| write_components(out, data, answer))?;
    }
    for (name, picture) in shown.pictures() {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &page(data, answer, shown).html())
}

fn write_predictions(out: &mut BufWriter<File>, data: &Data, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let Some(first) = answer.predictions.first() else { return csv.flush() };
    let named = |name: &str, count: usize| -> Vec<String> {
        match count {
            0 => Vec::new(),
            1 => vec![name.to_owned()],
            _ => answer.classes.iter().map(|class| format!("{name}_{class}")).collect(),
        }
    };
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
    csv.write_record(header)?;
    for own in &answer.predictions {
        let probability = own.probability.iter().flat_map(Values::all);
        let cells = own
            .x
            .iter()
            .chain(own.mean.all())
            .chain(own.variance.all())
            .chain(probability)
            .chain(&own.response)
            .chain(own.interval_90.iter().flatten())
            .chain(own.function_interval_90.all().iter().flatten());
        csv.write_record(cells.map(f64::to_string))?;
    }
    csv.flush()
}

fn write_hyperparameters(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["name", "value", "standard_error_of_free"])?;
    for own in &answer.hyperparameters {
        let error = own.standard_error.map_or_else(String::new, |error| error.to_string());
        csv.write_record([own.name.clone(), own.value.to_string(), error])?;
    }
    csv.flush()
}

fn write_components(out: &mut BufWriter<File>, data: &Data, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let both = answer
        .components
        .iter()
        .flat_map(|own| [format!("mean of {}", own.kernel), format!("variance of {}", own.kernel)]);
    csv.write_record(data.x_names.iter().cloned().chain(both))?;
    for (row, own) in answer.predictions.iter().enumerate() {
        let parts = answer.components.iter().flat_map(|part| [part.mean[row], part.variance[row]]);
        csv.write_record(own.x.iter().copied().chain(parts).map(|cell| cell.to_string()))?;
    }
    csv.flush()
}
