//! Every crate by itself: what `cargo test -p CRATE` compiles, with the features it has by default, with none
//! and with all.
//!
//! The other checks build the whole workspace with all features at once, which hides a library, a test or an
//! example that uses what its crate did not ask for. Libraries only where features are chosen: the
//! dependencies of tests would turn some on.

use cargo_metadata::Package;

use crate::{Outcome, cargo, no_arguments};

/// `cargo xtask features`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("features", arguments)?;
    check()
}

/// Compiles the library, tests and examples of each crate alone, without code generation.
pub(crate) fn check() -> Outcome {
    let metadata = cargo::metadata()?;
    let mut packages = metadata.workspace_packages();
    packages.retain(|package| package.manifest_path.starts_with(metadata.workspace_root.join("crates")));
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    for package in packages {
        for options in selections(package) {
            println!("   {} {}", package.name, options.join(" "));
            let check = ["check", "--quiet", "-p", package.name.as_str()];
            cargo::run(&[&check[..], options].concat())?;
        }
    }
    Ok(())
}

/// The options of cargo for the default features, for none and for all; each set of features once.
fn selections(package: &Package) -> Vec<&'static [&'static str]> {
    let mut selections: Vec<&'static [&'static str]> = vec![&["--all-targets"]];
    if package.features.get("default").is_some_and(|features| !features.is_empty()) {
        selections.push(&["--lib", "--no-default-features"]);
    }
    if package.features.keys().any(|feature| feature != "default") {
        selections.push(&["--lib", "--all-features"]);
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
            packages.into_iter().find(|own| own.name.as_str() == name).map(|own| selections(own).len())
        };
        assert_eq!(times("posterior"), Some(3)); // the default ones, none, all
        assert_eq!(times("posterior-latent"), Some(2)); // none by default
        assert_eq!(times("posterior-graph"), Some(1)); // none at all
    }
}
