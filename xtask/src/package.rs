//! `cargo xtask package`: every published crate as it would be uploaded, built from its archive, with its
//! size.

use std::fs;
use std::path::Path;

use crate::table::{self, Side};
use crate::{Outcome, cargo, no_arguments};

/// What a registry takes at most, in bytes.
const LIMIT: u64 = 10_000_000;

/// Packs all published crates, builds each from its archive against the archives of the others, and prints
/// their sizes.
///
/// Nothing is uploaded. Changes that are not committed are packed too.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("package", arguments)?;
    let crates = cargo::published()?;
    let target = cargo::target_folder()?;
    let chosen: Vec<&str> = crates.iter().flat_map(|(_, name)| ["-p", name.as_str()]).collect();
    // With a folder of its own each crate would compile all dependencies once more.
    let shared = target.to_str().ok_or("the folder of build products is not Unicode")?;
    let packing = [&["package", "--allow-dirty"], &chosen[..]].concat();
    cargo::run_with(&packing, &[("CARGO_TARGET_DIR", shared)])?;

    let mut rows = vec![["crate", "files", "kB"].map(str::to_owned).to_vec()];
    let mut large = Vec::new();
    for (_, name) in &crates {
        let bytes = archive_size(&target, name)?;
        if bytes > LIMIT {
            large.push(name.clone());
        }
        rows.push(vec![name.clone(), files(name)?.to_string(), bytes.div_ceil(1000).to_string()]);
    }
    print!("\n{}", table::aligned(&rows, &[Side::Left, Side::Right, Side::Right]));
    match large.as_slice() {
        [] => {
            println!("package: {} crates, each builds from its archive", crates.len());
            Ok(())
        }
        names => Err(format!("larger than a registry takes: {}", names.join(", "))),
    }
}

/// The bytes of the archive of a crate.
fn archive_size(target: &Path, name: &str) -> Result<u64, String> {
    let path = target.join("package").join(format!("{name}-{}.crate", env!("CARGO_PKG_VERSION")));
    fs::metadata(&path).map(|file| file.len()).map_err(|error| format!("{}: {error}", path.display()))
}

/// How many files the archive of a crate holds.
fn files(name: &str) -> Result<usize, String> {
    let output = cargo::command(&["package", "--list", "--allow-dirty", "-p", name])
        .output()
        .map_err(|error| format!("cargo package --list did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo package --list -p {name}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}
