//! `cargo xtask coverage`: which lines the tests reach.

use std::process::Stdio;

use crate::{Outcome, cargo, no_arguments};

/// Runs the tests under `cargo llvm-cov`, or says how to install it.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("coverage", arguments)?;
    if !installed() {
        return Err("cargo-llvm-cov is not installed\nhint: \
             rustup component add llvm-tools-preview && cargo install cargo-llvm-cov --locked"
            .to_owned());
    }
    cargo::run(&["llvm-cov", "--workspace"])
}

fn installed() -> bool {
    let version =
        cargo::command(&["llvm-cov", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}
