//! The files of a run: report, plots, tables.

use std::fs::File;
use std::io::{self, BufWriter};

use super::answer::Answer;
use super::report::{Shown, page};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::rows_input::Rows;

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
    data: &Rows,
    answer: &Answer,
    shown: &Shown,
) -> Result<(), Failure> {
    folder.put("assignments.csv", |out| write_assignments(out, data, answer))?;
    folder.put("groups.csv", |out| write_groups(out, answer))?;
    folder.put("model.json", |out| serde_json::to_writer(out, answer).map_err(io::Error::other))?;
    for (name, picture) in shown.pictures() {
        folder.put_text(&format!("{name}.svg"), &picture.standalone())?;
    }
    folder.put_text("report.html", &page(data, answer, shown).html())
}

fn write_assignments(out: &mut BufWriter<File>, data: &Rows, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let label = data.groups.as_ref().map(|known| known.column.clone());
    let header = ["row", "group", "probability"].map(str::to_owned);
    csv.write_record(header.into_iter().chain(label))?;
    for (row, (group, certainty)) in answer.assignments.iter().zip(&answer.certainty).enumerate() {
        let known = data.groups.as_ref().map(|known| known.names[known.each[row]].clone());
        let cells = [(row + 1).to_string(), group.to_string(), certainty.to_string()];
        csv.write_record(cells.into_iter().chain(known))?;
    }
    csv.flush()
}

fn write_groups(out: &mut BufWriter<File>, answer: &Answer) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let names = answer.columns.iter().map(|name| format!("mean of {name}"));
    csv.write_record(["group", "rows", "weight"].map(str::to_owned).into_iter().chain(names))?;
    let sizes = answer.sizes();
    for (group, mean) in answer.means.iter().enumerate() {
        let first = [group.to_string(), sizes[group].to_string(), answer.weights[group].to_string()];
        csv.write_record(first.into_iter().chain(mean.iter().map(f64::to_string)))?;
    }
    csv.flush()
}
