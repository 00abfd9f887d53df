//! The Python environment with the peers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// The lists of what is installed, and the options for each.
const LISTS: [(&str, &[&str]); 2] = [("requirements.txt", &[]), ("requirements-alone.txt", &["--no-deps"])];

/// A Python program with the peers.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) program: String,
    /// Packages of the lists that could not be installed.
    pub(super) missing: Vec<String>,
}

impl Environment {
    /// The program, if nothing is missing.
    pub(super) fn complete(self) -> Result<String, String> {
        if self.missing.is_empty() {
            return Ok(self.program);
        }
        Err(format!("{} could not be installed", self.missing.join(", ")))
    }
}

/// Makes the environment `peers` in the folder of build products, unless it is there with all that the lists
/// say.
pub(super) fn environment() -> Result<Environment, String> {
    let folder = cargo::target_folder()?.join("peers");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let complete = folder.join("complete");
    let mut wanted = String::new();
    for (name, _) in LISTS {
        wanted += &read(name)?;
    }
    let mut missing = Vec::new();
    if std::fs::read_to_string(&complete).ok().as_ref() != Some(&wanted) {
        cargo::start(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        for (name, options) in LISTS {
            missing.extend(install(&python, options, name)?);
        }
        if missing.is_empty() {
            std::fs::write(&complete, wanted).map_err(|error| format!("{}: {error}", complete.display()))?;
        }
    }
    Ok(Environment { program: python.display().to_string(), missing })
}

/// The packages of the lists with their versions in this environment.
pub(super) fn versions(python: &str) -> Result<Vec<String>, String> {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "list", "--format=freeze", "--disable-pip-version-check"]);
    let output = command.output().map_err(|error| format!("{python} did not start: {error}"))?;
    let installed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found = Vec::new();
    for (name, _) in LISTS {
        found.extend(packages(&read(name)?).filter_map(|package| version(&installed, &package)));
    }
    Ok(found)
}

fn path(list: &str) -> PathBuf {
    cargo::root().join("benches/peers").join(list)
}

fn read(list: &str) -> Result<String, String> {
    std::fs::read_to_string(path(list)).map_err(|error| format!("{list}: {error}"))
}

/// The lines of a list that name a package.
fn packages(list: &str) -> impl Iterator<Item = String> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned)
}

/// `name version` of a package that `pip list` has, under whatever spelling of its name.
fn version(installed: &str, package: &str) -> Option<String> {
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let name = package.split("==").next()?;
    let own = |line: &&str| line.split("==").next().is_some_and(|other| plain(other) == plain(name));
    Some(installed.lines().find(own)?.replace("==", " "))
}

/// Installs a list, package by package if it does not go as a whole; those that did not.
fn install(python: &Path, options: &[&str], list: &str) -> Result<Vec<String>, String> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    if cargo::start(Command::new(python).args(pip).args(options).arg("-r").arg(path(list))).is_ok() {
        return Ok(Vec::new());
    }
    let alone =
        |package: &String| cargo::start(Command::new(python).args(pip).args(options).arg(package)).is_err();
    Ok(packages(&read(list)?).filter(alone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_the_lines_that_are_no_comments() {
        let list = "# What is needed.\nnumpy==2.4.6\n\nPyMaxflow==1.3.2\n";
        assert_eq!(packages(list).collect::<Vec<_>>(), ["numpy==2.4.6", "PyMaxflow==1.3.2"]);
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        let installed = "huggingface-hub==2.4.0\npymaxflow==1.3.2\n";
        assert_eq!(version(installed, "PyMaxflow==1.3.2").as_deref(), Some("pymaxflow 1.3.2"));
        assert_eq!(version(installed, "huggingface_hub==2.4.0").as_deref(), Some("huggingface-hub 2.4.0"));
        assert_eq!(version(installed, "scipy==1.0"), None);
    }
}
