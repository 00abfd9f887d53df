//! The files of a run: report, plots, tables.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::answer::Answer;
use super::report::{Shown, page};
use crate::atomic_file;
use crate::failure::Failure;
use crate::rows_input::Rows;

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(folder: &Path, data: &Rows, answer: &Answer, shown: &Shown) -> Result<(), Failure> {
    let put = |name: &str, fill: &dyn Fn(&mut BufWriter<File>) -> io::Result<()>| {
        atomic_file::write(&folder.join(name), |out| fill(out))
    };
    put("assignments.csv", &|out| write_assignments(out, data, answer))?;
    put("groups.csv", &|out| write_groups(out, answer))?;
    put("model.json", &|out| serde_json::to_writer(out, answer).map_err(io::Error::other))?;
    for (name, picture) in shown.pictures() {
        put(&format!("{name}.svg"), &|out| out.write_all(picture.standalone().as_bytes()))?;
    }
    put("report.html", &|out| out.write_all(page(data, answer, shown).html().as_bytes()))
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
