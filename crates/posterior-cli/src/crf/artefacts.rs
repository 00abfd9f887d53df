//! The files of a run, but for the model.

use posterior_report::Page;

use super::scores::Scores;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::pictures::Pictures;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["confusion.csv", "transitions.svg", "objective.svg", "calibration.svg", "report.html"];

/// Writes what is taken for what, the report and its pictures.
pub(super) fn write(
    folder: &OutputFolder,
    scores: &Scores,
    (pictures, page): &(Pictures, Page),
) -> Result<(), Failure> {
    let names = scores.labels.iter().map(|own| own.label.as_str());
    let rows = scores
        .labels
        .iter()
        .zip(&scores.confusion)
        .map(|(own, row)| std::iter::once(own.label.clone()).chain(row.iter().map(u64::to_string)));
    folder.put_table("confusion.csv", std::iter::once("truth").chain(names), rows)?;
    folder.put_report(pictures, page)
}
