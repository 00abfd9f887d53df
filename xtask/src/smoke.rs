//! `cargo xtask smoke`: the command line, built for release, keeps the contract with its users.
//!
//! These are the tests that `ci` runs on its own build: exit codes, names of JSON fields, artefacts, and that
//! neither the number of threads nor anything else but the seed decides a number.

use crate::{Outcome, cargo, no_arguments};

/// Builds and checks the program.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("smoke", arguments)?;
    cargo::run(&["test", "--release", "-p", "posterior-cli", "--test", "it", "contract::"])
}
