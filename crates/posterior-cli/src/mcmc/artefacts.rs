//! The files of a run: report, plots, the table as CSV.

use posterior::sampling::diagnostics::{ChainSummary, Undefined};

use super::draws_input::Input;
use super::report::{page, shown};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;

/// What a run writes, as far as the names are always the same.
pub(super) const NAMES: &[&str] = &["summary.csv", "report.html"];

/// Writes everything that a run leaves in `folder`; in the table, what has no value is empty.
pub(super) fn write(folder: &OutputFolder, input: &Input, summary: &ChainSummary) -> Result<(), Failure> {
    let all = shown(&input.draws, summary);
    let header =
        ["parameter", "mean", "mcse", "sd", "mcse_sd", "q05", "q50", "q95", "ess_bulk", "ess_tail", "rhat"];
    let cell = |figure: Result<f64, Undefined>| figure.map_or_else(|_| String::new(), |own| own.to_string());
    let rows = summary.parameters.iter().map(|own| {
        let ends = [own.q05, own.q50, own.q95, own.ess_bulk, own.ess_tail, own.rhat];
        let figures = [own.mean, own.mcse, own.sd, own.mcse_sd].into_iter().chain(ends);
        std::iter::once(own.name.clone()).chain(figures.map(cell))
    });
    folder.put_table("summary.csv", header, rows)?;
    for (place, own) in all.iter().enumerate() {
        for (kind, picture) in own.pictures.iter() {
            folder.put_picture(&format!("{kind}_{:02}_{}", place + 1, plain(own.name)), picture)?;
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
