//! The Python environment with the peers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// The lists of what is installed, and the options for each.
const LISTS: [(&str, &[&str]); 2] =
    [("requirements.txt", &["-r"]), ("requirements-alone.txt", &["--no-deps", "-r"])];

/// Makes the environment `peers` in the folder of build products, unless it is there with all that the lists say, and returns its
/// Python program.
pub(super) fn environment() -> Result<String, String> {
    let folder = cargo::target_folder()?.join("peers");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let complete = folder.join("complete");
    let list = |name: &str| -> PathBuf { cargo::root().join("benches/peers").join(name) };
    let mut wanted = String::new();
    for (name, _) in LISTS {
        wanted += &std::fs::read_to_string(list(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    if std::fs::read_to_string(&complete).ok().as_ref() != Some(&wanted) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        for (name, options) in LISTS {
            install(&python, options, &list(name))?;
        }
        std::fs::write(&complete, wanted).map_err(|error| format!("{}: {error}", complete.display()))?;
    }
    Ok(python.display().to_string())
}

fn install(python: &Path, options: &[&str], list: &Path) -> Result<(), String> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(Command::new(python).args(pip).args(options).arg(list))
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?} did not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed ({status})")) }
}
