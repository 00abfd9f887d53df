//! `cargo xtask mutants -p CRATE [--sample N] [--seed S] [--at-most N] [--write]`: whether the tests of a
//! crate notice small changes of its code.
//!
//! cargo-mutants makes the changes, one at a time, in a clone of the last commit below the target folder. A
//! run that was stopped goes on when it is repeated.

mod outcomes;
mod page;
mod sample;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::outcomes::Outcomes;
use crate::{Outcome, cargo};

/// The page that `--write` writes, from the root of the workspace.
const PAGE: &str = "docs/mutants.md";

/// How many changes are tried, unless stated otherwise.
const SAMPLE: usize = 100;

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    package: String,
    sample: usize,
    seed: u64,
    /// How many changes this run tries.
    at_most: usize,
    write: bool,
}

/// Samples, tries, and prints the proportion that the tests notice and what they do not.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let asked = asked(arguments)?;
    if !installed() {
        return Err("cargo-mutants is not installed\nhint: cargo install cargo-mutants --locked".to_owned());
    }
    let folder = cargo::target_folder()?.join("mutants");
    let checkout = folder.join("checkout");
    let commit = clone(&checkout)?;
    let all = listed(&checkout, &asked.package)?;
    let chosen = sample::chosen(&all, asked.sample, asked.seed);
    let results = folder.join(format!("{}-{}-{}-{commit}", asked.package, asked.sample, asked.seed));
    fs::create_dir_all(&results).map_err(|error| format!("{}: {error}", results.display()))?;
    let before = Outcomes::read(&results)?;
    let left: Vec<&String> = chosen.iter().filter(|name| !before.has(name)).take(asked.at_most).collect();
    if !left.is_empty() {
        attempt(&checkout, &folder.join("products"), &results, &asked.package, &left)?;
    }
    let found = Outcomes::read(&results)?;
    for name in found.missed() {
        println!("no test notices: {name}");
    }
    let open = chosen.iter().filter(|name| !found.has(name)).count();
    println!("mutants: {}: {}, {open} of the sample not tried yet", asked.package, found.summary());
    if asked.write {
        let path = cargo::root().join(PAGE);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let row = page::row(&asked.package, all.len(), asked.seed, &found);
        fs::write(&path, page::updated(&text, &row)).map_err(|error| format!("{PAGE}: {error}"))?;
        println!("mutants: wrote {PAGE}");
    }
    Ok(())
}

fn asked(arguments: &[String]) -> Result<Asked, String> {
    let usage =
        || "usage: cargo xtask mutants -p CRATE [--sample N] [--seed S] [--at-most N] [--write]".to_owned();
    let mut asked =
        Asked { package: String::new(), sample: SAMPLE, seed: 0, at_most: usize::MAX, write: false };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(usage);
        match word.as_str() {
            "-p" | "--package" => asked.package.clone_from(value()?),
            "--sample" => asked.sample = value()?.parse().map_err(|_| usage())?,
            "--seed" => asked.seed = value()?.parse().map_err(|_| usage())?,
            "--at-most" => asked.at_most = value()?.parse().map_err(|_| usage())?,
            "--write" => asked.write = true,
            _ => return Err(usage()),
        }
    }
    if asked.package.is_empty() { Err(usage()) } else { Ok(asked) }
}

fn installed() -> bool {
    let version =
        cargo::command(&["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Brings the clone to the last commit, whatever a run left in it; the first digits of the commit.
fn clone(checkout: &Path) -> Result<String, String> {
    let root = cargo::root();
    if !checkout.join(".git").exists() {
        let mut command = Command::new("git");
        command.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(&root).arg(checkout);
        cargo::finish(command, "git clone")?;
    }
    let output = git(&root).args(["rev-parse", "HEAD"]).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut fetch = git(checkout);
    fetch.args(["fetch", "--quiet"]).arg(&root).arg("HEAD");
    cargo::finish(fetch, "git fetch")?;
    let mut update = git(checkout);
    update.args(["checkout", "--quiet", "--force", "--detach", &commit]);
    cargo::finish(update, "git checkout")?;
    commit.get(..10).map(str::to_owned).ok_or_else(|| "there is no commit".to_owned())
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
}

/// The names of all changes of a package that cargo-mutants knows.
fn listed(checkout: &Path, package: &str) -> Result<Vec<String>, String> {
    let mut command = cargo::command(&["mutants", "--list", "--package", package]);
    let output = command.current_dir(checkout).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("`cargo mutants --list` did not start: {error}"))?;
    let names: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if names.is_empty() {
        Err(format!("cargo-mutants finds nothing to change in {package:?}"))
    } else {
        Ok(names)
    }
}

/// Tries some changes with the tests of their package.
fn attempt(checkout: &Path, products: &Path, results: &Path, package: &str, names: &[&String]) -> Outcome {
    let pattern: Vec<String> = names.iter().map(|name| sample::literal(name)).collect();
    let pattern = format!("^({})$", pattern.join("|"));
    let mut command =
        cargo::command(&["mutants", "--in-place", "--all-features", "--no-shuffle", "--colors=never"]);
    command.args(["--package", package, "--re", &pattern, "--output"]).arg(results).args(["--", "--tests"]);
    command.current_dir(checkout).env("CARGO_TARGET_DIR", products);
    if std::env::var_os("POSTERIOR_SHARED").is_none() {
        let shared: PathBuf = cargo::root().join("../shared");
        command.env("POSTERIOR_SHARED", shared);
    }
    let status = command.status().map_err(|error| format!("`cargo mutants` did not start: {error}"))?;
    match status.code() {
        // All were noticed; some were not; some took too long.
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("`cargo mutants` failed ({status}): do the tests of {package} pass?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_names_a_package() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let read = asked(&words("-p posterior-math --sample 7 --seed 3 --at-most 2 --write")).unwrap();
        let expected =
            Asked { package: "posterior-math".to_owned(), sample: 7, seed: 3, at_most: 2, write: true };
        assert_eq!(read, expected);
        for text in ["--sample 7", "-p", "-p a --seed x", "-p a b"] {
            assert!(asked(&words(text)).is_err(), "{text}");
        }
    }
}
