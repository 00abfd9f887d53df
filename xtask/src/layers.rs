//! `cargo xtask layers`: dependencies point down.
//!
//! Every package under `crates/` states its layer in its manifest and may depend, for whatever purpose, only
//! on crates of a lower layer. The test kit alone stands outside: it is a development dependency by path,
//! without a version, so that packaging strips it and no cycle is published.
//!
//! Within a crate the modules that stand beside each other have an order too: no knots, but for those on a
//! list that only shrinks.

mod knots;
mod manifest;
mod references;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::{Outcome, modules};

/// The crate of checks and reference tables that any crate may use in its tests.
const TEST_KIT: &str = "posterior-testkit";

/// A package of the workspace, reduced to what the rules look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// From the root of the workspace, with slashes: `crates/posterior-math`, `xtask`.
    pub(crate) folder: String,
    pub(crate) layer: Option<u64>,
    pub(crate) publish: bool,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a manifest's dependency tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) purpose: Purpose,
    pub(crate) by_path: bool,
    pub(crate) has_version: bool,
}

/// What a dependency is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Normal,
    Build,
    Dev,
}

impl Package {
    /// The name of the folder directly under `crates/`, for a package that lives there.
    fn crate_folder(&self) -> Option<&str> {
        self.folder.strip_prefix("crates/")
    }
}

/// Checks the workspace; `--knots` prints the known knots of modules too, with the uses that close them.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let all = match arguments {
        [] => false,
        [flag] if flag == "--knots" => true,
        _ => return Err("usage: cargo xtask layers [--knots]".to_owned()),
    };
    let packages = manifest::packages()?;
    let mut findings = check(&packages);
    let knots = module_knots(&packages)?;
    if all {
        for knot in &knots {
            println!("{knot}");
        }
    }
    let verdict = knots::judge(&knots);
    findings.extend(verdict.findings);
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        return Err(format!("the layers have {} finding(s)", findings.len()));
    }
    let crates = packages.iter().filter(|package| package.crate_folder().is_some()).count();
    println!(
        "layers: the dependencies of {crates} crates point down; known knots of modules: {}",
        verdict.known
    );
    Ok(())
}

/// The knots of modules in all packages.
fn module_knots(packages: &[Package]) -> Result<Vec<knots::Knot>, String> {
    let mut found = Vec::new();
    for package in packages {
        for root in modules::roots(&modules::from_disk, &package.folder) {
            found.extend(knots::of(&package.name, &modules::modules(&modules::from_disk, &root)?));
        }
    }
    Ok(found)
}

/// Everything that breaks a rule, a line each.
fn check(packages: &[Package]) -> Vec<String> {
    let by_name: BTreeMap<&str, &Package> =
        packages.iter().map(|package| (package.name.as_str(), package)).collect();
    packages
        .iter()
        .filter_map(|package| package.crate_folder().map(|folder| (package, folder)))
        .flat_map(|(package, folder)| {
            let own = itself(package, folder);
            let others = package.dependencies.iter().filter_map(|d| dependency(package, d, &by_name));
            own.into_iter().chain(others).map(|finding| format!("{}: {finding}", package.name))
        })
        .collect()
}

/// What is wrong with the package as such.
fn itself(package: &Package, folder: &str) -> Vec<String> {
    let mut findings = Vec::new();
    if folder != package.name {
        findings.push(format!("lies in crates/{folder}; a crate's folder has its name"));
    }
    match (package.name == TEST_KIT, package.layer) {
        (true, Some(_)) => findings.push("the test kit stands outside the layers and states none".to_owned()),
        (false, None) => {
            findings.push("states no layer; add `[package.metadata.posterior] layer = N`".to_owned());
        }
        _ => {}
    }
    if package.name == TEST_KIT && package.publish {
        findings.push("the test kit is for development and says `publish = false`".to_owned());
    }
    findings
}

/// What is wrong with one dependency; nothing if it is not of this workspace.
fn dependency(package: &Package, to: &Dependency, by_name: &BTreeMap<&str, &Package>) -> Option<String> {
    let target = by_name.get(to.name.as_str())?;
    if target.name == TEST_KIT {
        return test_kit(to);
    }
    let purpose = to.purpose.words();
    if target.crate_folder().is_none() {
        return Some(format!("{purpose} on {}, which is no library of the workspace", to.name));
    }
    // A missing layer is reported where it is missing.
    let (own, other) = (package.layer?, target.layer?);
    let place = match other.cmp(&own) {
        std::cmp::Ordering::Less => return None,
        std::cmp::Ordering::Equal => "beside it, on the same layer",
        std::cmp::Ordering::Greater => "above it",
    };
    Some(format!("{purpose} from layer {own} on {}, which is {place} ({other})", to.name))
}

fn test_kit(to: &Dependency) -> Option<String> {
    if to.purpose != Purpose::Dev {
        return Some(format!("{} on the test kit, which is for tests only", to.purpose.words()));
    }
    if to.has_version || !to.by_path {
        return Some(
            "the test kit is used by path and without a version, so that packaging strips it".to_owned(),
        );
    }
    None
}

impl Purpose {
    const fn words(self) -> &'static str {
        match self {
            Self::Normal => "depends",
            Self::Build => "build-depends",
            Self::Dev => "dev-depends",
        }
    }
}
