//! `cargo xtask python`: builds the wheel of `posterior_rs`, installs it in an environment of its own beside
//! its peers, and runs what its users rely on: format and lints of the bindings, types, tests, documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, cargo, light_tests, no_arguments};

/// The folder of the package, from the root of the workspace.
const PACKAGE: &str = "crates/posterior-python";

/// The versions of the builder, the peers and the tests, below that folder.
const REQUIREMENTS: &str = "tests/requirements.txt";

/// Makes the environment unless it is there, and runs everything.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("python", arguments)?;
    let package = cargo::root().join(PACKAGE);
    let products = cargo::target_folder()?.join("python");
    let python = environment(&package, &products)?;
    lints(&package, &products, &python)?;
    program(&package, "debug")?;
    install(&package, &python, &wheel(&package, &products, &python, "dev")?)?;
    // Not from the folder of the package, where Python would find its sources instead of what is installed.
    let tests = package.join("tests");
    let mypy = ["-m", "mypy", "--cache-dir"];
    let mypy = |words: &[&str]| {
        run_in(&tests, Command::new(&python).args(mypy).arg(products.join("mypy")).args(words))
    };
    // As a user has it, and the package itself by its own settings.
    mypy(&["--strict", "--config-file", "", "typed_example.py"])?;
    mypy(&["--config-file", "../pyproject.toml", "../python/posterior_rs"])?;
    let pyright = ["-m", "pyright", "--warnings", "--pythonpath"];
    run_in(&tests, Command::new(&python).args(pyright).arg(&python).arg("typed_example.py"))?;
    let pytest = ["-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "."];
    run_in(&tests, Command::new(&python).args(pytest))
}

/// The Python program of an environment with everything in the list.
fn environment(package: &Path, products: &Path) -> Result<PathBuf, String> {
    let folder = products.join("environment");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (list, complete) = (package.join(REQUIREMENTS), folder.join("complete"));
    let wanted = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    if fs::read_to_string(&complete).ok().as_ref() != Some(&wanted) {
        let python3 = if cfg!(windows) { "python" } else { "python3" };
        run_in(package, Command::new(python3).args(["-m", "venv"]).arg(&folder))?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        run_in(package, Command::new(&python).args(pip).arg(&list))?;
        fs::write(&complete, wanted).map_err(|error| format!("{}: {error}", complete.display()))?;
    }
    Ok(python)
}

/// The format and the lints of the bindings, which no check of the workspace sees.
fn lints(package: &Path, products: &Path, python: &Path) -> Outcome {
    cargo::run_in(package, &["fmt", "--check"], &[])?;
    let variables =
        [("PYO3_PYTHON", python.display().to_string()), ("CARGO_TARGET_DIR", products.display().to_string())];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    cargo::run_in(package, &["clippy", "--locked", "--quiet", "--", "-D", "warnings"], &variables)
}

/// Installs the wheel that is released beside its peers: the Python program that has both, and the wheel.
pub(crate) fn released() -> Result<(PathBuf, PathBuf), String> {
    let package = cargo::root().join(PACKAGE);
    let products = cargo::target_folder()?.join("python");
    let python = environment(&package, &products)?;
    program(&package, "release")?;
    let wheel = wheel(&package, &products, &python, "release")?;
    install(&package, &python, &wheel)?;
    Ok((python, wheel))
}

fn install(package: &Path, python: &Path, wheel: &Path) -> Outcome {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let again = ["--no-deps", "--force-reinstall", "--no-index"];
    run_in(package, Command::new(python).args(pip).args(again).arg(wheel))
}

/// Builds the command line and puts it where the wheel takes it from. For tests it is the one that `ci`
/// builds, which is there already when both run.
fn program(package: &Path, profile: &str) -> Outcome {
    if profile == "release" {
        cargo::run(&["build", "--release", "--locked", "--quiet", "-p", "posterior-cli"])?;
    } else {
        let (name, wrapper) = light_tests::variable()?;
        let all = ["build", "--workspace", "--all-features", "--tests", "--bins", "--quiet"];
        cargo::run_with(&all, &[(name, &wrapper)])?;
    }
    let program = format!("posterior{}", std::env::consts::EXE_SUFFIX);
    let scripts = package.join("posterior_rs.data/scripts");
    let (from, to) = (cargo::target_folder()?.join(profile).join(&program), scripts.join(&program));
    fs::create_dir_all(&scripts).map_err(|error| format!("{}: {error}", scripts.display()))?;
    fs::copy(&from, &to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Builds the wheel by a profile of its manifest; its path.
fn wheel(package: &Path, products: &Path, python: &Path, profile: &str) -> Result<PathBuf, String> {
    let folder = products.join("wheels");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut command = Command::new(python);
    let build = ["-m", "maturin", "build", "--locked", "--quiet", "--profile", profile, "--out"];
    command.args(build).arg(&folder);
    run_in(package, command.env("CARGO_TARGET_DIR", products))?;
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheel = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|own| own == "whl"));
    wheel.ok_or_else(|| format!("no wheel in {}", folder.display()))
}

fn run_in(folder: &Path, command: &mut Command) -> Outcome {
    cargo::start(command.current_dir(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_no_member_of_the_workspace() {
        let metadata = cargo::metadata().unwrap();
        assert!(metadata.workspace_packages().iter().all(|own| own.name != "posterior-python"));
        assert!(cargo::root().join(PACKAGE).join("Cargo.lock").is_file());
    }

    #[test]
    fn every_version_is_pinned() {
        let list = fs::read_to_string(cargo::root().join(PACKAGE).join(REQUIREMENTS)).unwrap();
        let packages: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(packages.contains(&"maturin==1.16.0"), "{packages:?}");
        assert!(packages.iter().all(|line| line.contains("==")), "{packages:?}");
    }
}
