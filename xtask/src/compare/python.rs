//! The Python environment with the peers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// Makes the environment `peers` in the folder of build products, unless it is there, and returns its Python program.
pub(super) fn environment() -> Result<String, String> {
    let folder = cargo::target_folder()?.join("peers");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let complete = folder.join("complete");
    if !complete.is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let list = |name: &str| -> PathBuf { cargo::root().join("benches/peers").join(name) };
        install(&python, &["-r"], &list("requirements.txt"))?;
        install(&python, &["--no-deps", "-r"], &list("requirements-alone.txt"))?;
        std::fs::write(&complete, "").map_err(|error| format!("{}: {error}", complete.display()))?;
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
