//! Every crate by itself: what `cargo test -p CRATE` compiles, with the features it has by default and with
//! none.
//!
//! The other checks build the whole workspace with all features at once, which hides a test or an example
//! that uses what its crate did not ask for.

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
            let check = ["check", "--quiet", "--all-targets", "-p", package.name.as_str()];
            cargo::run(&[&check[..], options].concat())?;
        }
    }
    Ok(())
}

/// The options of cargo for the default features and for none; once where both are the same.
fn selections(package: &Package) -> &'static [&'static [&'static str]] {
    let by_default = package.features.get("default").is_some_and(|features| !features.is_empty());
    if by_default { &[&[], &["--no-default-features"]] } else { &[&[]] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_without_default_features_are_checked_once() {
        let metadata = cargo::metadata().expect("cargo describes the workspace");
        let times = |name: &str| {
            let packages = metadata.workspace_packages();
            packages.into_iter().find(|own| own.name.as_str() == name).map(|own| selections(own).len())
        };
        assert_eq!((times("posterior"), times("posterior-latent")), (Some(2), Some(1)));
    }
}
