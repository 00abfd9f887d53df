//! `cargo xtask docs`: the API documentation, with warnings denied.

use crate::{Outcome, cargo, no_arguments};

/// Builds the documentation of all crates and says where to open it.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("docs", arguments)?;
    build(&["--workspace", "--exclude", WITHOUT[0]].map(str::to_owned))?;
    let index = cargo::target_folder()?.join("doc").join("posterior").join("index.html");
    if !index.is_file() {
        return Err(format!("cargo doc made no {}", index.display()));
    }
    println!("open {}", index.display());
    Ok(())
}

/// Packages without pages: those of the binary would take the place of those of the library `posterior`.
pub(crate) const WITHOUT: [&str; 1] = ["posterior-cli"];

/// Builds the documentation of the packages that these options choose; a broken link or an unescaped backtick
/// fails.
pub(crate) fn build(options: &[String]) -> Outcome {
    let arguments: Vec<&str> =
        ["doc", "--no-deps"].into_iter().chain(options.iter().map(String::as_str)).collect();
    cargo::run_with(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
}
