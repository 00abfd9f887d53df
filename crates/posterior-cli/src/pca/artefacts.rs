//! The files of a run: report, plots, tables as CSV.

use super::data_input::Data;
use super::method::Found;
use super::report::report;
use crate::args::PcaFit;
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::run::Run;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] =
    &["model.json", "scores.csv", "components.csv", "scree.svg", "scores.svg", "report.html"];

/// Writes the tables, the report and its pictures.
pub(super) fn write(
    folder: &OutputFolder,
    run: &Run<'_>,
    args: &PcaFit,
    data: &Data,
    found: &Found,
) -> Result<(), Failure> {
    let names = || (1..=found.scores.ncols()).map(|j| format!("component_{j}"));
    let groups = data.rows.groups.as_ref();
    let rows = found.scores.row_iter().enumerate().map(|(i, row)| {
        let group = groups.map(|groups| groups.names[groups.each[i]].clone());
        row.iter().map(f64::to_string).chain(group).collect::<Vec<_>>()
    });
    folder.put_table("scores.csv", names().chain(groups.map(|groups| groups.column.clone())), rows)?;
    let rows = data.rows.names.iter().enumerate().map(|(t, column)| {
        let fixed = [column.clone(), found.mean[t].to_string(), data.rows.scales[t].to_string()];
        fixed.into_iter().chain(found.components.row(t).iter().map(f64::to_string)).collect::<Vec<_>>()
    });
    let fixed = ["column", "mean", "scale"].map(str::to_owned);
    folder.put_table("components.csv", fixed.into_iter().chain(names()), rows)?;
    let (pictures, page) = report(run, args, data, found);
    folder.put_report(&pictures, &page)
}
