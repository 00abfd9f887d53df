//! Tests that were skipped because data were missing.
//!
//! The test harness shows the output of failed tests only. So the test kit adds a line to the file that
//! [`VARIABLE`] names: the test in words, what it lacks, and the function, with tabs between them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Outcome, cargo};

/// The environment variable that the test kit looks for.
pub(super) const VARIABLE: &str = "POSTERIOR_SKIPPED";

/// The file of a run.
pub(super) fn file() -> Result<PathBuf, String> {
    Ok(cargo::target_folder()?.join("skipped/ci.txt"))
}

/// Makes the file, without a line.
pub(super) fn clear(file: &Path) -> Outcome {
    let context = |error: std::io::Error| format!("{}: {error}", file.display());
    file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(file, "")).map_err(context)
}

/// The lines of the file; none where there is no file.
pub(super) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

/// The functions in the lines of a file, with their modules.
pub(super) fn functions(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(|line| line.split('\t').nth(2)).filter(|name| !name.is_empty()).collect()
}

/// One line about the tests in the lines of a file.
pub(super) fn summary(text: &str) -> String {
    let tests: BTreeSet<&str> = text.lines().map(|line| line.split('\t').next().unwrap_or(line)).collect();
    if tests.is_empty() {
        return "skipped for want of data: none\n".to_owned();
    }
    let names: Vec<&str> = tests.iter().copied().collect();
    format!(
        "skipped for want of data: {} ({}); CONTRIBUTING.md says where the data come from\n",
        names.len(),
        names.join(", ")
    )
}

/// Says that a test of this program was skipped, as the test kit does.
#[cfg(test)]
pub(crate) fn note(test: &str, lacking: &Path) {
    use std::io::Write as _;

    eprintln!("skipped: {test} needs {} (set POSTERIOR_SHARED)", lacking.display());
    if let Some(file) = std::env::var_os(VARIABLE) {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(file).expect("the file opens");
        file.write_all(format!("{test}\t{}\n", lacking.display()).as_bytes()).expect("the file takes a line");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("skipped");
        assert_eq!(summary(&read(&file)), "skipped for want of data: none\n");
        fs::write(&file, "b\tdata/x\tm::b\na\tdata/y\nb\tdata/z\t\n").expect("the file is written");
        let text = read(&file);
        assert!(summary(&text).starts_with("skipped for want of data: 2 (a, b); "));
        assert_eq!(functions(&text), BTreeSet::from(["m::b"]));
    }
}
