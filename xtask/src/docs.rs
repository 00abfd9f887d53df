//! `cargo xtask docs`: the API documentation, with warnings denied.

use crate::{Outcome, cargo, no_arguments};

/// Builds the documentation of all crates and says where to open it.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("docs", arguments)?;
    build()?;
    let index = cargo::target_folder()?.join("doc").join("posterior").join("index.html");
    if !index.is_file() {
        return Err(format!("cargo doc made no {}", index.display()));
    }
    println!("open {}", index.display());
    Ok(())
}

/// Builds the documentation; a broken link or an unescaped backtick fails.
///
/// The binary is left out: its pages would take the place of those of the library `posterior`.
pub(crate) fn build() -> Outcome {
    let arguments = ["doc", "--workspace", "--no-deps", "--exclude", "posterior-cli"];
    cargo::run_with(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
}
