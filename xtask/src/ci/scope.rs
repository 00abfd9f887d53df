//! What `cargo xtask ci` looks at: the workspace, some packages, or those that a change can reach.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cargo_metadata::{DependencyKind, Metadata};

use crate::cargo;

/// Files outside of all packages that packages read: their paths begin with the first, and the second read
/// them.
const READERS: &[(&str, &[&str])] = &[
    ("README.md", &["posterior", "posterior-cli"]),
    ("docs/book/", &["posterior", "posterior-stories"]),
    ("docs/data/", &["posterior", "posterior-cli"]),
];

/// Files that decide how everything is compiled; their paths begin with these.
const SHARED: &[&str] = &["Cargo.toml", "Cargo.lock", "clippy.toml", ".cargo/"];

/// A package that only tests use. It passes nothing on: what it is made of is not what those tests are about.
const TEST_KIT: &str = "posterior-testkit";

/// Which packages are compiled and tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    Workspace,
    Packages(BTreeSet<String>),
}

/// A package as this file needs it.
#[derive(Debug, Default)]
struct Member {
    /// From the root of the workspace, with a slash at the end.
    folder: String,
    needs: BTreeSet<String>,
    /// Needed by tests, examples and benchmarks alone.
    needs_for_tests: BTreeSet<String>,
}

/// Packages by their names.
type Members = BTreeMap<String, Member>;

/// The scope that the arguments of the command line ask for.
pub(super) fn parse(arguments: &[String]) -> Result<Scope, String> {
    let usage = || "usage: cargo xtask ci [--slow] [--since REV | -p CRATE... [--dependents]]".to_owned();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [] => Ok(Scope::Workspace),
        ["--since", revision] => Ok(reached(&members(&cargo::metadata()?), &changed(revision)?)),
        _ => {
            let (mut chosen, mut dependents) = (BTreeSet::new(), false);
            let mut words = words.into_iter();
            while let Some(word) = words.next() {
                match word {
                    "--dependents" => dependents = true,
                    "-p" => {
                        chosen.insert(words.next().ok_or_else(usage)?.to_owned());
                    }
                    _ => return Err(usage()),
                }
            }
            let members = members(&cargo::metadata()?);
            if let Some(unknown) = chosen.iter().find(|name| !members.contains_key(*name)) {
                let names: Vec<&str> = members.keys().map(String::as_str).collect();
                return Err(format!("no package {unknown:?}; there are {}", names.join(", ")));
            }
            if chosen.is_empty() {
                return Err(usage());
            }
            Ok(Scope::Packages(if dependents { with_dependents(&members, &chosen) } else { chosen }))
        }
    }
}

impl Scope {
    /// The options by which cargo chooses these packages, some of them left out.
    pub(super) fn options(&self, without: &[&str]) -> Vec<String> {
        let (option, names): (_, Vec<&str>) = match self {
            Self::Workspace if without.is_empty() => return vec!["--workspace".to_owned()],
            Self::Workspace => ("--exclude", without.to_vec()),
            Self::Packages(names) => {
                ("-p", names.iter().map(String::as_str).filter(|name| !without.contains(name)).collect())
            }
        };
        let whole = matches!(self, Self::Workspace).then(|| "--workspace".to_owned());
        let pairs = names.into_iter().flat_map(|name| [option.to_owned(), name.to_owned()]);
        whole.into_iter().chain(pairs).collect()
    }

    pub(super) fn holds(&self, package: &str) -> bool {
        match self {
            Self::Workspace => true,
            Self::Packages(names) => names.contains(package),
        }
    }

    /// One line for the person at the terminal.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Workspace => "the workspace".to_owned(),
            Self::Packages(names) if names.is_empty() => "no package".to_owned(),
            Self::Packages(names) => names.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
        }
    }
}

fn members(metadata: &Metadata) -> Members {
    let folder = |package: &cargo_metadata::Package| {
        let folder =
            package.manifest_path.parent().and_then(|own| own.strip_prefix(&metadata.workspace_root).ok());
        folder.map_or_else(String::new, |own| format!("{}/", own.as_str().replace('\\', "/")))
    };
    let needs = |package: &cargo_metadata::Package, tests: bool| {
        let own = package.dependencies.iter().filter(|own| own.path.is_some());
        own.filter(|own| (own.kind == DependencyKind::Development) == tests)
            .map(|own| own.name.clone())
            .collect()
    };
    let packages = metadata.workspace_packages().into_iter();
    packages
        .map(|own| {
            let (needs, needs_for_tests) = (needs(own, false), needs(own, true));
            (own.name.to_string(), Member { folder: folder(own), needs, needs_for_tests })
        })
        .collect()
}

/// Files that differ from where this branch left a revision, with those that git does not know yet.
fn changed(revision: &str) -> Result<Vec<String>, String> {
    let known = git(&["diff", "--name-only", "-z", "--merge-base", revision, "--"])?;
    let fresh = git(&["ls-files", "-z", "--others", "--exclude-standard"])?;
    Ok([known, fresh].concat().split_terminator('\0').map(str::to_owned).collect())
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(cargo::root())
        .output()
        .map_err(|error| format!("git did not start: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!("git {}: {}", arguments.join(" "), message.trim_end()))
    }
}

/// The packages that changed files can reach.
fn reached(members: &Members, files: &[String]) -> Scope {
    if files.iter().any(|file| SHARED.iter().any(|shared| file.starts_with(shared))) {
        return Scope::Workspace;
    }
    let mut chosen = BTreeSet::new();
    for file in files {
        let holds = |member: &Member| file.starts_with(&member.folder);
        chosen.extend(members.iter().filter(|(_, member)| holds(member)).map(|(name, _)| name.clone()));
        let readers = READERS.iter().filter(|(prefix, _)| file.starts_with(prefix));
        chosen.extend(readers.flat_map(|(_, readers)| readers.iter().map(|&reader| reader.to_owned())));
    }
    Scope::Packages(with_dependents(members, &chosen))
}

/// The packages, those that are built from them, and those whose tests use one of these.
fn with_dependents(members: &Members, chosen: &BTreeSet<String>) -> BTreeSet<String> {
    let mut built = chosen.clone();
    loop {
        let more: Vec<String> = members
            .iter()
            .filter(|(name, member)| {
                !built.contains(*name) && !member.needs.is_disjoint(&built) && *name != TEST_KIT
            })
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            break;
        }
        built.extend(more);
    }
    let tested = members.iter().filter(|(_, member)| !member.needs_for_tests.is_disjoint(&built));
    let tested: Vec<String> = tested.map(|(name, _)| name.clone()).collect();
    built.into_iter().chain(tested).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &str) -> BTreeSet<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    /// dist needs math; gp needs dist, and graph for its tests; the test kit needs dist, and all test with
    /// it.
    fn workspace() -> Members {
        let member = |name: &str, needs: &str, tests: &str| {
            let folder = format!("crates/{name}/");
            (name.to_owned(), Member { folder, needs: set(needs), needs_for_tests: set(tests) })
        };
        Members::from([
            member("math", "", TEST_KIT),
            member("dist", "math", TEST_KIT),
            member("gp", "dist", "graph"),
            member("graph", "", TEST_KIT),
            member(TEST_KIT, "dist", ""),
        ])
    }

    fn reached_from(files: &[&str]) -> Scope {
        reached(&workspace(), &files.iter().map(|&file| file.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_change_reaches_what_is_built_and_tested_with_it() {
        let packages = |names| Scope::Packages(set(names));
        assert_eq!(reached_from(&["crates/dist/src/lib.rs"]), packages("dist gp"));
        assert_eq!(reached_from(&["crates/graph/src/lib.rs"]), packages("graph gp"));
        assert_eq!(reached_from(&["crates/gp/a", "docs/speed.md"]), packages("gp"));
        assert_eq!(reached_from(&[]), packages(""));
        let all_tests = format!("math dist graph {TEST_KIT}");
        assert_eq!(reached_from(&["crates/posterior-testkit/src/lib.rs"]), packages(&all_tests));
    }

    #[test]
    fn shared_files_reach_everything_and_pages_those_who_read_them() {
        assert_eq!(reached_from(&["crates/gp/a", "Cargo.lock"]), Scope::Workspace);
        assert_eq!(reached_from(&["docs/book/time.md"]), Scope::Packages(set("posterior posterior-stories")));
    }

    #[test]
    fn options_choose_packages_and_leave_some_out() {
        assert_eq!(Scope::Workspace.options(&[]), ["--workspace"]);
        assert_eq!(Scope::Workspace.options(&["cli"]), ["--workspace", "--exclude", "cli"]);
        assert_eq!(Scope::Packages(set("a cli")).options(&["cli"]), ["-p", "a"]);
    }

    #[test]
    fn arguments_that_contradict_each_other_are_refused() {
        let parse = |line: &str| parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse(""), Ok(Scope::Workspace));
        assert_eq!(parse("-p posterior-graph"), Ok(Scope::Packages(set("posterior-graph"))));
        assert!(parse("-p posterior-report --dependents").is_ok_and(|own| own.holds("posterior-cli")));
        for line in ["--dependents", "-p", "-p nothing", "--since", "--since main -p posterior-graph"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
