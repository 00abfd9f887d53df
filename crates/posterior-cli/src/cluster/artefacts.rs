//! The files of a run: report, plots, tables.

use super::answer::Answer;
use super::report::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::rows_input::Rows;
use crate::run::Run;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &[
    "assignments.csv",
    "groups.csv",
    "model.json",
    "groups.svg",
    "trace.svg",
    "selection.svg",
    "number_of_groups.svg",
    "report.html",
];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    data: &Rows,
    answer: &Answer,
) -> Result<(), Failure> {
    let label = data.groups.as_ref().map(|known| known.column.as_str());
    let rows = answer.assignments.iter().zip(&answer.certainty).enumerate();
    let rows = rows.map(|(row, (group, certainty))| {
        let known = data.groups.as_ref().map(|known| known.names[known.each[row]].clone());
        [(row + 1).to_string(), group.to_string(), certainty.to_string()].into_iter().chain(known)
    });
    folder.put_table("assignments.csv", ["row", "group", "probability"].into_iter().chain(label), rows)?;
    let names = answer.columns.iter().map(|name| format!("mean of {name}"));
    let sizes = answer.sizes();
    let groups = answer.means.iter().enumerate().map(|(group, mean)| {
        let first = [group.to_string(), sizes[group].to_string(), answer.weights[group].to_string()];
        first.into_iter().chain(mean.iter().map(f64::to_string))
    });
    let header = ["group", "rows", "weight"].map(str::to_owned).into_iter().chain(names);
    folder.put_table("groups.csv", header, groups)?;
    folder.put_json("model.json", &run.document(answer))?;
    let (pictures, page) = report(run, data, answer);
    folder.put_report(&pictures, &page)
}
