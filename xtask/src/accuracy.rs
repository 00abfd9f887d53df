//! `cargo xtask accuracy`: writes `docs/accuracy.md`, the errors of every function over its reference table.

use std::fs;
use std::process::Stdio;

use crate::{Outcome, cargo, no_arguments};

/// Measures, and replaces the page.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("accuracy", arguments)?;
    let mut measure =
        cargo::command(&["run", "--release", "--quiet", "-p", "posterior-benches", "--bin", "accuracy"]);
    let output = measure.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("the measurement failed: {}", output.status));
    }
    let path = cargo::root().join("docs/accuracy.md");
    fs::write(&path, output.stdout).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
