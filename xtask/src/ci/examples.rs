//! The step that runs the examples of the libraries: each goes from data to an answer in a moment.

use std::process::{Command, Stdio};

use cargo_metadata::TargetKind;

use super::Asked;
use crate::{Outcome, cargo, light_tests};

/// Examples that are not run here: case studies have tests of their own, a million observations take a while,
/// and language models ask for a text.
const LEFT_OUT: &[&str] = &["posterior-stories", "million_observations", "language_models"];

/// Runs those of the packages of the scope, which the tests have built; shows the output of one that fails.
pub(super) fn run(asked: &Asked) -> Outcome {
    let scope = &asked.scope;
    let (name, wrapper) = light_tests::variable()?;
    super::on(&["build"], &scope.options(&[]), &["--examples", "--all-features"], &[(name, &wrapper)])?;
    let metadata = cargo::metadata()?;
    for package in metadata.workspace_packages() {
        if !scope.holds(&package.name) || LEFT_OUT.contains(&package.name.as_str()) {
            continue;
        }
        for target in package.targets.iter().filter(|target| target.kind.contains(&TargetKind::Example)) {
            if LEFT_OUT.contains(&target.name.as_str()) {
                continue;
            }
            println!("{}: {}", package.name, target.name);
            let file = format!("{}{}", target.name, std::env::consts::EXE_SUFFIX);
            let program = metadata.target_directory.join("debug/examples").join(file);
            let output = Command::new(&program)
                .stdin(Stdio::null())
                .output()
                .map_err(|error| format!("{program}: {error}"))?;
            if !output.status.success() {
                let (out, error) =
                    (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                return Err(format!("the example {} failed:\n{out}{error}", target.name));
            }
        }
    }
    Ok(())
}
