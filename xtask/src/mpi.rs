//! `cargo xtask mpi`: builds `posterior-mpi` and runs its tests, which start it under `mpirun`.

use std::process::{Command, Stdio};

use crate::{Outcome, cargo, no_arguments};

/// The folder of the package, from the root of the workspace.
const PACKAGE: &str = "crates/posterior-mpi";

/// What it needs from Debian: the headers and the libraries of MPI, its starter, and what reads the headers.
const NEEDS: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev"];

/// Its format, its lints and its tests.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("mpi", arguments)?;
    install()?;
    let package = cargo::root().join(PACKAGE);
    let products = cargo::target_folder()?.join("mpi");
    let products = products.display().to_string();
    // Processes side by side on the cores that there are, as root in a container too.
    let variables = [
        ("CARGO_TARGET_DIR", products.as_str()),
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ];
    cargo::run_in(&package, &["fmt", "--check"], &[])?;
    cargo::run_in(&package, &["clippy", "--locked", "--quiet", "--", "-D", "warnings"], &variables)?;
    cargo::run_in(&package, &["test", "--locked", "--quiet"], &variables)
}

/// Installs what is missing where that is possible, and else names it.
fn install() -> Outcome {
    if has("mpicc") && has("mpirun") && has("llvm-config") {
        return Ok(());
    }
    let needs = NEEDS.join(" ");
    let named = format!("posterior-mpi needs MPI and libclang: on Debian, apt-get install {needs}");
    if !has("apt-get") {
        return Err(named);
    }
    cargo::start(Command::new("apt-get").args(["update", "-qq"])).map_err(|_| named.clone())?;
    cargo::start(Command::new("apt-get").args(["install", "-y", "-qq"]).args(NEEDS)).map_err(|_| named)
}

fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    let quiet = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_no_member_of_the_workspace() {
        let metadata = cargo::metadata().unwrap();
        assert!(metadata.workspace_packages().iter().all(|own| own.name != "posterior-mpi"));
        assert!(cargo::root().join(PACKAGE).join("Cargo.lock").is_file());
    }
}
