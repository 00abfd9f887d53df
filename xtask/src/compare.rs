//! `cargo xtask compare SUBJECT [--python PROGRAM]`: our speed beside that of other crates and of Python's libraries, in one run.

use crate::{Outcome, cargo};

/// Runs the comparison; without `--python` the columns of SciPy and NumPy stay empty.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let python = match words.as_slice() {
        ["math"] => None,
        ["math", "--python", program] => Some(*program),
        _ => return Err("usage: cargo xtask compare math [--python PROGRAM]".to_owned()),
    };
    let mut command = vec!["run", "--release", "--quiet", "-p", "posterior-benches", "--bin", "compare_math"];
    if let Some(program) = python {
        command.extend(["--", program]);
    }
    cargo::run(&command)
}
