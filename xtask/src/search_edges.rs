//! `cargo xtask search-edges [--cases N] [--seed S] [--only NAME [--case SEED]] [--threads N]`: wrong numbers
//! of the distributions at the edges of f64. The search is a program of the test kit.

use crate::{Outcome, cargo};

/// Builds and runs the search; it fails if anything is found.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let program = [
        "run",
        "--release",
        "--quiet",
        "-p",
        "posterior-testkit",
        "--features",
        "edges",
        "--bin",
        "search_edges",
        "--",
    ];
    let mut search = cargo::command(&program);
    let status = search.args(arguments).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the search has findings, or did not run".to_owned()) }
}
