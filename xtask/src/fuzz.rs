//! `cargo xtask fuzz [TARGET] [--seconds N]`: builds the targets in `fuzz/` with the coverage of libFuzzer,
//! runs each for a time, and prints a table. Needs a C++ compiler, but neither nightly nor cargo-fuzz:
//! coverage is a pass of LLVM that the stable compiler has too, and without `unsafe` code there is nothing
//! for the address sanitizer to find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::table::{Side, aligned};
use crate::{Outcome, cargo};

/// What cargo-fuzz passes too, without a sanitizer.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0";

/// Limits of libFuzzer: seconds of one input, and mebibytes, of everything and of one allocation.
const LIMITS: [&str; 3] = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=1024"];

/// A child does the work, and another one goes on after a crash: one find does not end the search.
const GO_ON: [&str; 4] = ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"];

/// How long each target runs, unless stated otherwise.
const SECONDS: u32 = 600;

/// Runs one target, or all.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (target, seconds) = options(arguments)?;
    let folder = cargo::root().join("fuzz");
    let mut targets = targets(&folder)?;
    if let Some(target) = target {
        if !targets.contains(&target) {
            return Err(format!("there is no target {target:?}; there are: {}", targets.join(", ")));
        }
        targets = vec![target];
    }
    let products = cargo::target_folder()?.join("fuzz");
    let binaries = build(&folder, &products, &targets)?;
    let mut rows =
        vec![["target", "executions", "coverage", "features", "crashes"].map(str::to_owned).to_vec()];
    let mut crashes = 0;
    for target in &targets {
        println!("{target}: {seconds} s");
        let run = fuzz(&folder, &products, &binaries, target, seconds)?;
        crashes += run.crashes;
        rows.push(vec![target.clone(), run.executions, run.coverage, run.features, run.crashes.to_string()]);
    }
    print!("{}", aligned(&rows, &[Side::Left, Side::Right, Side::Right, Side::Right, Side::Right]));
    match crashes {
        0 => Ok(()),
        n => Err(format!("{n} inputs in {}", products.join("crashes").display())),
    }
}

fn options(arguments: &[String]) -> Result<(Option<String>, u32), String> {
    let usage = || "usage: cargo xtask fuzz [TARGET] [--seconds N]".to_owned();
    let (mut target, mut seconds) = (None, SECONDS);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--seconds" {
            seconds = words.next().and_then(|number| number.parse().ok()).ok_or_else(usage)?;
        } else if word.starts_with('-') || target.replace(word.clone()).is_some() {
            return Err(usage());
        }
    }
    Ok((target, seconds))
}

/// The names of the targets, one a file.
fn targets(folder: &Path) -> Result<Vec<String>, String> {
    let folder = folder.join("fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| stem(entry.path())).collect();
    names.sort();
    Ok(names)
}

/// Builds the targets; the folder of the binaries.
fn build(folder: &Path, products: &Path, targets: &[String]) -> Result<PathBuf, String> {
    let host = host()?;
    // With a target triple the flags are not for build scripts and macros, which are not linked with
    // libFuzzer.
    let mut command = cargo::command(&["build", "--release", "--locked", "--target", &host]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml")).arg("--target-dir").arg(products);
    for target in targets {
        command.args(["--bin", target]);
    }
    let status = command.env("RUSTFLAGS", COVERAGE).status().map_err(|error| format!("no cargo: {error}"))?;
    if !status.success() {
        return Err(format!("the targets in {} do not build", folder.display()));
    }
    Ok(products.join(host).join("release"))
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("no rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

/// What a run of a target came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    executions: String,
    coverage: String,
    features: String,
    crashes: usize,
}

fn fuzz(folder: &Path, products: &Path, binaries: &Path, target: &str, seconds: u32) -> Result<Run, String> {
    let corpus = products.join("corpus").join(target);
    let crashes = products.join("crashes").join(target);
    for folder in [&corpus, &crashes] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut command = Command::new(binaries.join(target));
    command.arg(&corpus).arg(folder.join("seeds").join(target)).args(LIMITS).args(GO_ON);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={}/", crashes.display()));
    let dictionary = folder.join("dictionaries").join(target);
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let output = command.stdout(Stdio::null()).output().map_err(|error| format!("{target}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let mut run = read_log(&text);
    run.crashes = fs::read_dir(&crashes).map_or(0, Iterator::count);
    if !output.status.success() {
        let lines: Vec<&str> = text.lines().collect();
        println!("{}", lines[lines.len().saturating_sub(12)..].join("\n"));
        run.crashes = run.crashes.max(1);
    }
    Ok(run)
}

/// The numbers of the last line in a log of libFuzzer that counts: `#99: cov: 17 ft: 26 corp: 2`.
fn read_log(text: &str) -> Run {
    let last = text.lines().rfind(|line| line.starts_with('#')).unwrap_or_default();
    let mut words = last.split_whitespace();
    let executions = words.next().unwrap_or_default().trim_matches(['#', ':']).to_owned();
    let number_after = |key: &str| {
        let mut words = last.split_whitespace().skip_while(|&word| word != key);
        words.nth(1).unwrap_or_default().to_owned()
    };
    Run { executions, coverage: number_after("cov:"), features: number_after("ft:"), crashes: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_a_run_is_read_from_its_end() {
        let log =
            "#2: cov: 10 ft: 12 corp: 1\n#99: cov: 17 ft: 26 corp: 2 exec/s: 7\nINFO: exiting: 0 time: 9s\n";
        let expected = ["99", "17", "26"].map(str::to_owned);
        let run = read_log(log);
        assert_eq!([run.executions, run.coverage, run.features], expected);
    }

    #[test]
    fn options_are_a_target_and_seconds() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(options(&words("bif --seconds 5")), Ok((Some("bif".to_owned()), 5)));
        assert!(options(&words("bif net")).is_err());
        assert!(options(&words("--seconds x")).is_err());
    }

    #[test]
    fn every_target_is_a_binary_of_the_manifest_and_has_seeds() {
        let folder = cargo::root().join("fuzz");
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for target in targets(&folder).unwrap() {
            assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
            assert!(folder.join("seeds").join(&target).is_dir(), "{target} has no seeds");
        }
    }
}
