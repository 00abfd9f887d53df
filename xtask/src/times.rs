//! `cargo xtask times`: how long a contributor waits for builds and tests, and how large the program is.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::table::{self, Side};
use crate::{Outcome, cargo, no_arguments};

/// The package of the program, and the program.
const PROGRAM: [&str; 2] = ["posterior-cli", "posterior"];

/// Measures, and prints one table.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("times", arguments)?;
    let mut rows = Vec::new();
    for package in &cargo::metadata()?.packages {
        let name = package.name.as_str();
        // Built first, so that what is timed are the tests.
        quietly(&["test", "-p", name, "--no-run"])?;
        eprintln!("cargo test -p {name}");
        rows.push([format!("cargo test -p {name}"), seconds(quietly(&["test", "-p", name])?)]);
    }
    let [package, program] = PROGRAM;
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    let target = folder.path().display().to_string();
    eprintln!("a clean build of {package}");
    let built = quietly(&["build", "--release", "-p", package, "--target-dir", &target])?;
    rows.push([format!("clean release build of {package}"), seconds(built)]);
    let path = folder.path().join("release").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    let size = fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?.len();
    rows.push([format!("size of `{program}`"), megabytes(size)]);
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    print!("{}", table::aligned(&rows, &[Side::Left, Side::Right]));
    Ok(())
}

/// The wall time of `cargo ARGUMENTS`, whose output is of no interest.
fn quietly(arguments: &[&str]) -> Result<Duration, String> {
    let mut command = cargo::command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    cargo::finish(command, &format!("cargo {}", arguments.join(" ")))?;
    Ok(start.elapsed())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_one_decimal() {
        assert_eq!(seconds(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(megabytes(21_960_000), "22.0 MB");
    }
}
