//! Packages, CPU seconds, lines and public items of one build.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::subjects::Subject;
use crate::items::{self, Kind};
use crate::{cargo, lines, modules};

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weight {
    /// The crate itself and all that is compiled for it, build scripts and procedural macros included.
    pub(super) packages: usize,
    /// Of the user and the system, of all processes.
    pub(super) seconds: f64,
    /// Of the whole crate; none of a part of one.
    pub(super) lines: Option<usize>,
    /// Functions, types, traits, methods, constants and macros; none of a part of a crate and of a program.
    pub(super) items: Option<usize>,
}

/// Variables that would compile features which the package did not ask for, or take parts from elsewhere.
const FOREIGN: [&str; 4] = [
    "CARGO_RESOLVER_FEATURE_UNIFICATION",
    "CARGO_UNSTABLE_FEATURE_UNIFICATION",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "RUSTC_WRAPPER",
];

/// Ticks in a second, in `/proc` of Linux.
const TICKS: f64 = 100.0;

/// Builds and counts.
pub(super) fn weigh(subject: &Subject) -> Result<Weight, String> {
    let folder = format!("crates/{}", subject.package);
    let library = modules::from_disk(&format!("{folder}/src/lib.rs")).is_some();
    Ok(Weight {
        packages: packages(subject)?,
        seconds: seconds(subject)?,
        lines: if subject.whole { Some(lines::of_crate(&folder)?) } else { None },
        items: if subject.whole && library { Some(items(&folder)?) } else { None },
    })
}

/// `cargo ARGUMENTS -p PACKAGE OPTIONS`.
fn command(arguments: &[&str], subject: &Subject) -> Command {
    let arguments = [arguments, &["-p", subject.package.as_str()], subject.options].concat();
    let mut command = cargo::command(&arguments);
    for variable in FOREIGN {
        command.env_remove(variable);
    }
    command
}

fn packages(subject: &Subject) -> Result<usize, String> {
    let mut tree = command(&["tree", "-e", "normal,build", "--prefix", "none", "--no-dedupe"], subject);
    let output = tree.output().map_err(|error| format!("cargo tree did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(distinct(&String::from_utf8_lossy(&output.stdout)))
}

/// Distinct packages in the lines `NAME vVERSION ...`.
fn distinct(tree: &str) -> usize {
    let package = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    };
    tree.lines().filter_map(package).collect::<BTreeSet<_>>().len()
}

fn seconds(subject: &Subject) -> Result<f64, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
    let target = folder.path().display().to_string();
    let before = seconds_of_children()?;
    let build = command(&["build", "--release", "--quiet", "--target-dir", &target], subject);
    cargo::finish(build, &format!("cargo build --release -p {}", subject.package))?;
    Ok(seconds_of_children()? - before)
}

/// CPU seconds of all processes that this one has waited for, and of those that they have.
fn seconds_of_children() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat")
        .map_err(|error| format!("CPU seconds are counted on Linux alone: /proc/self/stat: {error}"))?;
    children(&text).ok_or_else(|| format!("/proc/self/stat has no times of children: {text}"))
}

/// The sixteenth and the seventeenth field, `cutime` and `cstime`; the second is a name in brackets that may
/// have spaces.
fn children(stat: &str) -> Option<f64> {
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_whitespace().skip(13);
    let (user, system) = (fields.next()?.parse::<f64>().ok()?, fields.next()?.parse::<f64>().ok()?);
    Some((user + system) / TICKS)
}

fn items(folder: &str) -> Result<usize, String> {
    let items = items::of_library(folder)?;
    Ok(items.iter().filter(|(_, item)| !matches!(item.kind, Kind::Field | Kind::Variant)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_children_are_read_behind_the_name() {
        let stat = "12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(children(stat), Some(3.0));
        assert_eq!(children("12 (a) S 1"), None);
    }

    #[test]
    fn packages_are_counted_once() {
        let tree = "a v0.1.0 (/a)\nb v1.0.0\nb v1.0.0 (*)\nb v2.0.0\nc v1.0.0 (proc-macro)\n\n";
        assert_eq!(distinct(tree), 4);
    }
}
