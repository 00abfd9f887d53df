//! The files of a run: report, plots, tables.

use super::answer::Answer;
use super::data_input::Data;
use super::report::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::Run;

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
    run: &Run<'_>,
    data: &Data,
    answer: &Answer,
) -> Result<(), Failure> {
    if !answer.coefficients.is_empty() {
        let sum_to_zero = answer.intervals.coefficients.is_some();
        let header =
            ["name", "mean", "sd", "q05", "q95"].into_iter().chain(sum_to_zero.then_some("constraint"));
        let rows = answer.coefficients.iter().map(|own| {
            let numbers = [own.mean, own.sd, own.q05, own.q95].map(|value| value.to_string());
            let constraint = sum_to_zero.then(|| "sum-to-zero over the classes".to_owned());
            std::iter::once(own.name.clone()).chain(numbers).chain(constraint)
        });
        folder.put_table("coefficients.csv", header, rows)?;
    }
    let header: Vec<String> = match (&answer.positive_class, &answer.classes[..]) {
        (Some(class), _) => ["", "_q05", "_q95"].iter().map(|end| format!("p_{class}{end}")).collect(),
        (None, []) => ["mean", "q05", "q95", "mean_q05", "mean_q95"].map(str::to_owned).to_vec(),
        (None, classes) => classes.iter().map(|class| format!("p_{class}")).collect(),
    };
    let label = (!answer.classes.is_empty()).then(|| "label".to_owned());
    let rows = answer.predictions.iter().enumerate().map(|(row, own)| {
        let label = own.label(&answer.classes).map(str::to_owned);
        let cells = std::iter::once((row + 1).to_string()).chain(own.numbers().map(f64::to_string));
        cells.chain(label)
    });
    let header = std::iter::once("row".to_owned()).chain(header).chain(label);
    folder.put_table("predictions.csv", header, rows)?;
    folder.put_json("model.json", &run.document(answer))?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}
