//! `cargo xtask accuracy` and `cargo xtask agreement`: pages of the documentation that a program of `benches`
//! measures.

use std::fs;
use std::process::Stdio;

use crate::{Outcome, cargo, no_arguments};

/// Runs the program `name` and makes what it prints the page `docs/NAME.md`.
pub(crate) fn run(name: &str, arguments: &[String]) -> Outcome {
    no_arguments(name, arguments)?;
    let mut measure =
        cargo::command(&["run", "--release", "--quiet", "-p", "posterior-benches", "--bin", name]);
    let output = measure.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the measurement failed: {}", output.status));
    }
    let path = cargo::root().join("docs").join(format!("{name}.md"));
    fs::write(&path, output.stdout).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
