//! `cargo xtask api [--check]`: what is public, as one text file for each crate, so that a change of it is
//! seen in review.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Outcome, cargo};

/// The toolchain whose rustdoc writes what `cargo public-api` reads.
const TOOLCHAIN: &str = "+nightly";

/// Writes `docs/api/CRATE.txt`, or compares the files with what is public now.
///
/// Without the toolchain or the tool the comparison is skipped, and says so: it is no part of
/// `cargo xtask ci`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask api [--check]".to_owned()),
    };
    if let Some(missing) = missing() {
        return if check {
            println!("api: skipped: {missing}");
            Ok(())
        } else {
            Err(missing)
        };
    }
    let folder = cargo::root().join("docs/api");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut changed = Vec::new();
    for (home, name) in cargo::published()? {
        if !home.join("src/lib.rs").is_file() {
            continue;
        }
        let now = listing(&name)?;
        let path = folder.join(format!("{name}.txt"));
        let before = fs::read_to_string(&path).unwrap_or_default();
        println!("{name}: {} public items", now.lines().count());
        if before != now {
            changed.push(name);
            if !check {
                write(&path, &now)?;
            }
        }
    }
    match changed.as_slice() {
        [] => println!("api: docs/api is up to date"),
        names if check => {
            return Err(format!(
                "docs/api is not what is public in {}; run `cargo xtask api`",
                names.join(", ")
            ));
        }
        names => println!("api: wrote {}", names.join(", ")),
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What is not installed, and how to install it.
fn missing() -> Option<String> {
    let works = |arguments: &[&str]| {
        let status =
            Command::new("cargo").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !works(&[TOOLCHAIN, "--version"]) {
        return Some("no nightly toolchain\nhint: rustup toolchain install nightly".to_owned());
    }
    if !works(&["public-api", "--version"]) {
        return Some(
            "cargo-public-api is not installed\nhint: cargo install cargo-public-api --locked".to_owned(),
        );
    }
    None
}

/// The public items of a crate with all its features, without what every type has by derive, blanket or
/// automatic impls.
fn listing(name: &str) -> Result<String, String> {
    let output = Command::new("cargo")
        .args([TOOLCHAIN, "public-api", "-p", name, "--all-features", "-sss", "--color", "never"])
        .current_dir(cargo::root())
        .env_remove("RUSTUP_TOOLCHAIN")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo public-api did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo public-api -p {name} failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("cargo public-api -p {name}: {error}"))
}
