//! The files of a run: report, plots, the table as CSV.

use std::fs::File;
use std::io::{self, BufWriter};

use posterior::sampling::diagnostics::{ChainSummary, ParameterSummary, Undefined};

use super::draws_input::Input;
use super::report::{page, shown};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["summary.csv", "report.html"];

/// Writes everything that a run leaves in `folder`.
pub(super) fn write(folder: &OutputFolder, input: &Input, summary: &ChainSummary) -> Result<(), Failure> {
    let all = shown(&input.draws, summary);
    folder.put("summary.csv", |out| write_table(out, summary))?;
    for (place, own) in all.iter().enumerate() {
        for (kind, picture) in own.pictures() {
            let name = format!("{kind}_{:02}_{}.svg", place + 1, plain(own.name));
            folder.put_text(&name, &picture.standalone())?;
        }
    }
    folder.put_text("report.html", &page(input, summary, &all).html())
}

/// A name that every file system takes.
fn plain(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(40).collect();
    plain.trim_matches('_').to_owned()
}

/// A row a parameter; what has no value is empty.
fn write_table(out: &mut BufWriter<File>, summary: &ChainSummary) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let header =
        ["parameter", "mean", "mcse", "sd", "mcse_sd", "q05", "q50", "q95", "ess_bulk", "ess_tail", "rhat"];
    csv.write_record(header)?;
    for own in &summary.parameters {
        csv.write_record(std::iter::once(own.name.clone()).chain(figures(own).map(cell)))?;
    }
    csv.flush()
}

fn figures(own: &ParameterSummary) -> [Result<f64, Undefined>; 10] {
    [own.mean, own.mcse, own.sd, own.mcse_sd, own.q05, own.q50, own.q95, own.ess_bulk, own.ess_tail, own.rhat]
}

fn cell(figure: Result<f64, Undefined>) -> String {
    figure.map_or_else(|_| String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(plain("theta[1,2]"), "theta_1_2");
        assert_eq!(plain("../../etc/passwd"), "etc_passwd");
        assert_eq!(plain("τ"), "");
    }
}
