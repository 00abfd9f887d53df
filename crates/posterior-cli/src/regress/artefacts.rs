//! The files of a run: report, plots, tables.

use std::fs::File;
use std::io::{self, BufWriter};

use super::answer::Answer;
use super::data_input::Data;
use super::report::{Shown, page};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "coefficients.csv",
    "predictions.csv",
    "model.json",
    "function.svg",
    "coefficients.svg",
    "residuals.svg",
    "calibration.svg",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    data: &Data,
    answer: &Answer,
    shown: &Shown,
) -> Result<(), Failure> {
    if !answer.coefficients.is_empty() {
        folder.put("coefficients.csv", |out| write_coefficients(out, answer))?;
    }
    folder.put("predictions.csv", |out| write_predictions(out, answer))?;
    folder.put("model.json", |out| serde_json::to_writer(out, answer).map_err(io::Error::other))?;
    for (name, picture) in shown.pictures() {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &page(data, answer, shown).html())
}

fn write_coefficients(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    // Of several classes a column says what the numbers are.
    let sum_to_zero = answer.intervals.coefficients.is_some();
    let header = ["name", "mean", "sd", "q05", "q95"].into_iter().chain(sum_to_zero.then_some("constraint"));
    csv.write_record(header)?;
    for own in &answer.coefficients {
        let numbers = [own.mean, own.sd, own.q05, own.q95].map(|value| value.to_string());
        let constraint = sum_to_zero.then(|| "sum-to-zero over the classes".to_owned());
        csv.write_record(std::iter::once(own.name.clone()).chain(numbers).chain(constraint))?;
    }
    csv.flush()
}

fn write_predictions(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let header: Vec<String> = match (&answer.positive_class, &answer.classes[..]) {
        (Some(class), _) => ["", "_q05", "_q95"].iter().map(|end| format!("p_{class}{end}")).collect(),
        (None, []) => ["mean", "q05", "q95", "mean_q05", "mean_q95"].map(str::to_owned).to_vec(),
        (None, classes) => classes.iter().map(|class| format!("p_{class}")).collect(),
    };
    let label = (!answer.classes.is_empty()).then(|| "label".to_owned());
    csv.write_record(std::iter::once("row".to_owned()).chain(header).chain(label))?;
    for (row, own) in answer.predictions.iter().enumerate() {
        let numbers = own.mean.iter().chain(own.interval_90.iter().flatten());
        let numbers = numbers.chain(own.mean_interval_90.iter().flatten());
        let numbers = numbers.chain(own.probabilities.iter().flatten()).map(f64::to_string);
        let label = own.label(&answer.classes).map(str::to_owned);
        csv.write_record(std::iter::once((row + 1).to_string()).chain(numbers).chain(label))?;
    }
    csv.flush()
}
