//! Automation of the workspace: `cargo xtask help` lists the commands. One file per command.

mod api;
mod bench;
mod calibration;
mod cargo;
mod ci;
mod compare;
mod coverage;
mod docs;
mod embedded;
mod evidence;
mod features;
mod fuzz;
mod help;
mod items;
mod layers;
mod light_tests;
mod lines;
mod minimal;
mod modules;
mod mpi;
mod mutants;
mod package;
mod python;
mod readme;
mod search_edges;
mod smoke;
mod soak;
mod table;
mod tidy;
mod times;
mod toolbox;
mod unused;
mod weight;

use std::process::ExitCode;

/// What a command returns: nothing, or what went wrong, in words for the person at the terminal.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = light_tests::wrapped(&arguments) {
        return code;
    }
    let Some((command, rest)) = arguments.split_first() else {
        return report(help::run(&[]));
    };
    report(match command.as_str() {
        "accuracy" | "agreement" => evidence::run(command, rest),
        "api" => api::run(rest),
        "bench" => bench::run(rest),
        "calibration" => calibration::run(rest),
        "ci" => ci::run(rest),
        "compare" => compare::run(rest),
        "coverage" => coverage::run(rest),
        "datasets" => embedded::run(rest),
        "docs" => docs::run(rest),
        "features" => features::run(rest),
        "fuzz" => fuzz::run(rest),
        "help" | "--help" | "-h" => help::run(rest),
        "layers" => layers::run(rest),
        "minimal" => minimal::run(rest),
        "mutants" => mutants::run(rest),
        "package" => package::run(rest),
        "mpi" => mpi::run(rest),
        "python" => python::run(rest),
        "readme" => readme::run(rest),
        "search-edges" => search_edges::run(rest),
        "smoke" => smoke::run(rest),
        "soak" => soak::run(rest),
        "tidy" => tidy::run(rest),
        "times" => times::run(rest),
        "toolbox" => toolbox::run(rest),
        "unused" => unused::run(rest),
        "weight" => weight::run(rest),
        unknown => {
            eprintln!("error: there is no command {unknown:?}; `cargo xtask help` lists them");
            return ExitCode::from(2);
        }
    })
}

fn report(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Refuses arguments, for commands that take none.
fn no_arguments(command: &str, arguments: &[String]) -> Outcome {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(format!("`cargo xtask {command}` takes no arguments, and got {argument:?}")),
    }
}
