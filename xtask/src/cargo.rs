//! Running cargo, and asking it where things are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::Outcome;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// `cargo ARGUMENTS` in the root of the workspace, with the cargo that runs us.
///
/// Its output goes where ours goes, unless the caller redirects it.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs `cargo ARGUMENTS` with some environment variables set, and passes its output through.
pub(crate) fn run_with(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut command = command(arguments);
    command.envs(variables.iter().copied());
    finish(command, &shown(arguments, variables))
}

/// As [`run_with`], in another folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut command = command(arguments);
    command.envs(variables.iter().copied()).current_dir(folder);
    finish(command, &shown(arguments, variables))
}

/// Runs a command to its end; the error shows it as `shown`.
pub(crate) fn finish(mut command: Command, shown: &str) -> Outcome {
    let status = command.status().map_err(|error| format!("`{shown}` did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` failed ({status})")) }
}

/// Runs another program to its end.
pub(crate) fn start(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| format!("{command:?} did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed ({status})")) }
}

/// Runs `cargo ARGUMENTS`, and passes its output through.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    run_with(arguments, &[])
}

/// The command as one would type it into a shell.
fn shown(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let variables = variables.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
    let words = arguments.iter().map(|word| quoted(word));
    variables.chain(std::iter::once("cargo".to_owned())).chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.to_owned() }
}

/// The packages of the workspace with the dependencies they declare, and the folder of build products.
pub(crate) fn metadata() -> Result<Metadata, String> {
    MetadataCommand::new()
        .current_dir(root())
        .no_deps()
        .exec()
        .map_err(|error| format!("cargo metadata does not describe the workspace: {error}"))
}

/// The folders and names of the packages that are published, in the order of their layers: each after what it
/// depends on.
pub(crate) fn published() -> Result<Vec<(PathBuf, String)>, String> {
    let metadata = metadata()?;
    let mut packages: Vec<(u64, String, PathBuf)> = metadata
        .workspace_packages()
        .into_iter()
        .filter(|package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty()))
        .filter_map(|package| {
            let layer = package.metadata.get("posterior").and_then(|table| table.get("layer"))?.as_u64()?;
            let folder = package.manifest_path.parent()?.as_std_path().to_path_buf();
            Some((layer, package.name.to_string(), folder))
        })
        .collect();
    packages.sort();
    Ok(packages.into_iter().map(|(_, name, folder)| (folder, name)).collect())
}

/// The folder of build products, wherever the environment or a configuration file puts it.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    Ok(metadata()?.target_directory.into_std_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_command_is_shown_as_it_would_be_typed() {
        let text = shown(&["doc", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]);
        assert_eq!(text, "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
    }

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        let mut failing = command(&["--no-such-flag"]);
        failing.stderr(std::process::Stdio::null());
        let message = finish(failing, "cargo x").expect_err("cargo has no such flag");
        assert!(message.starts_with("`cargo x` failed"), "{message}");
    }

    #[test]
    fn the_root_holds_the_manifest_of_the_workspace() {
        assert!(root().join("Cargo.lock").is_file());
    }
}
