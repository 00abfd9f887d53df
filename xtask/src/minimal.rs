//! `cargo xtask minimal`: the lower bounds of the manifests are true.
//!
//! Every direct dependency at its least version, in a copy of the workspace, has to compile.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Outcome, cargo, no_arguments};

/// Checks the workspace with the least versions of what its manifests name.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("minimal", arguments)?;
    let copy = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    copy_workspace(&cargo::root(), copy.path())?;
    // The flag is not stable; the variable lets the stable cargo take it, for this one command.
    let update = ["update", "--quiet", "-Z", "direct-minimal-versions"];
    cargo::run_in(copy.path(), &update, &[("RUSTC_BOOTSTRAP", "1")])?;
    let target = cargo::target_folder()?.join("minimal");
    let target = target.to_str().ok_or("the folder of build products is not Unicode")?;
    let check = ["check", "--workspace", "--all-features", "--all-targets"];
    cargo::run_in(copy.path(), &check, &[("CARGO_TARGET_DIR", target)])?;
    println!("minimal: the workspace compiles with the least versions of its dependencies");
    Ok(())
}

/// Copies what git tracks or would track.
fn copy_workspace(from: &Path, to: &Path) -> Outcome {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(from)
        .output()
        .map_err(|error| format!("git did not start: {error}"))?;
    if !listing.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listing.stderr)));
    }
    for name in String::from_utf8_lossy(&listing.stdout).split_terminator('\0') {
        let (source, target) = (from.join(name), to.join(name));
        if !source.is_file() {
            continue;
        }
        let context = |error: std::io::Error| format!("{name}: {error}");
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(context)?;
        }
        fs::copy(&source, &target).map_err(context)?;
    }
    Ok(())
}
