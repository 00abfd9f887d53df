//! Every crate by itself, with the features it has by default, with none and with all.
//!
//! The other checks build the whole workspace with all features at once, which hides a library, a test or an
//! example that uses what its crate did not ask for. Where features are chosen, libraries only: the
//! dependencies of tests would turn some on.

use cargo_metadata::Package;

use crate::{Outcome, cargo, no_arguments};

/// What is built from it asks for nearly all features, as the other checks do.
const UMBRELLA: &str = "posterior";

/// `cargo xtask features`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("features", arguments)?;
    check(true)
}

/// Compiles each crate alone, without code generation: its library with the default features and with none;
/// if `all`, also its tests and examples, and its library with all features.
///
/// Other features of a dependency are another compilation of it and of everything between: `all` takes five
/// times as long.
pub(crate) fn check(all: bool) -> Outcome {
    let metadata = cargo::metadata()?;
    let mut packages = metadata.workspace_packages();
    packages.retain(|package| package.manifest_path.starts_with(metadata.workspace_root.join("crates")));
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    for package in packages {
        for options in selections(package, all) {
            println!("   {} {}", package.name, options.join(" "));
            let check = ["check", "--quiet", "-p", package.name.as_str()];
            cargo::run(&[&check[..], options].concat())?;
        }
    }
    Ok(())
}

/// The options of cargo for the default features, for none and for all; each set of features once.
fn selections(package: &Package, all: bool) -> Vec<&'static [&'static str]> {
    let mut selections: Vec<&'static [&'static str]> = Vec::new();
    if all {
        selections.push(&["--all-targets"]);
    } else if !package.dependencies.iter().any(|own| own.name == UMBRELLA) {
        selections.push(&["--lib"]);
    }
    if package.features.get("default").is_some_and(|features| !features.is_empty()) {
        selections.push(&["--lib", "--no-default-features"]);
    }
    if all && package.features.keys().any(|feature| feature != "default") {
        let is_library = package.targets.iter().any(cargo_metadata::Target::is_lib);
        selections.push(if is_library {
            &["--lib", "--all-features"]
        } else {
            &["--bins", "--all-features"]
        });
    }
    selections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_of_features_is_checked_once() {
        let metadata = cargo::metadata().expect("cargo describes the workspace");
        let times = |name: &str| {
            let packages = metadata.workspace_packages();
            let package = packages.into_iter().find(|own| own.name.as_str() == name).expect("a package");
            [true, false].map(|all| selections(package, all).len())
        };
        assert_eq!(times("posterior"), [3, 2]); // the default ones, none, all
        assert_eq!(times("posterior-latent"), [2, 1]); // none by default
        assert_eq!(times("posterior-graph"), [1, 1]); // none at all
        assert_eq!(times("posterior-stories"), [1, 0]); // built from the umbrella
        assert_eq!(times("posterior-cli"), [2, 0]); // with the feature `arrow`
    }
}
