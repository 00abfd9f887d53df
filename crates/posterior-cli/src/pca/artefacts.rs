//! The files of a run: report, plots, tables as CSV.

use std::fs::File;
use std::io::{self, BufWriter};

use posterior_report::Page;

use super::data_input::Data;
use super::fit::Output;
use super::method::Found;
use super::report;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["model.json", "scores.csv", "components.csv", "scree.svg", "scores.svg", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(
    folder: &OutputFolder,
    data: &Data,
    found: &Found,
    output: &Output<'_>,
    page: &Page,
) -> Result<(), Failure> {
    folder.put("model.json", |out| serde_json::to_writer(out, output).map_err(io::Error::from))?;
    folder.put("scores.csv", |out| write_scores(out, data, found))?;
    folder.put("components.csv", |out| write_components(out, data, found))?;
    folder.put_text("scree.svg", &report::scree(found).standalone())?;
    if let Some(picture) = report::plane(data, found) {
        folder.put_text("scores.svg", &picture.standalone())?;
    }
    folder.put_text("report.html", &page.html())
}

/// A row for each row, in its order.
fn write_scores(out: &mut BufWriter<File>, data: &Data, found: &Found) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let names = (1..=found.scores.ncols()).map(|j| format!("component_{j}"));
    csv.write_record(names.chain(data.rows.groups.iter().map(|groups| groups.column.clone())))?;
    for (i, row) in found.scores.row_iter().enumerate() {
        let group = data.rows.groups.iter().map(|groups| groups.names[groups.each[i]].clone());
        csv.write_record(row.iter().map(f64::to_string).chain(group))?;
    }
    csv.flush()
}

/// A row for each column of the data.
fn write_components(out: &mut BufWriter<File>, data: &Data, found: &Found) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let names = (1..=found.components.ncols()).map(|j| format!("component_{j}"));
    let fixed = ["column", "mean", "scale"].map(str::to_owned);
    csv.write_record(fixed.into_iter().chain(names))?;
    for (t, column) in data.rows.names.iter().enumerate() {
        let mut cells = vec![column.clone(), found.mean[t].to_string(), data.rows.scales[t].to_string()];
        cells.extend(found.components.row(t).iter().map(f64::to_string));
        csv.write_record(cells)?;
    }
    csv.flush()
}
