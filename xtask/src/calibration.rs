//! `cargo xtask calibration`: intervals and probabilities of the program against simulated truths, as a page
//! of the documentation.

use crate::{Outcome, cargo};

/// Data sets of each scenario: a coverage of .9 has a standard error of .013 then, where rows of a data set
/// are one observation.
const SETS: &str = "500";

/// Runs the simulations that the tests of the program run in short.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let sets = match arguments {
        [] => SETS,
        [option, sets] if option == "--sets" && sets.parse().is_ok_and(|sets: u64| sets > 1) => sets,
        _ => return Err("usage: cargo xtask calibration [--sets N]".to_owned()),
    };
    let page = cargo::root().join("docs/calibration.md").display().to_string();
    cargo::run_with(
        &[
            "test",
            "--release",
            "-p",
            "posterior-cli",
            "--test",
            "it",
            "--",
            "--ignored",
            "--exact",
            "--nocapture",
            "calibration::page",
        ],
        &[("POSTERIOR_CALIBRATION_PAGE", &page), ("POSTERIOR_CALIBRATION_SETS", sets)],
    )?;
    println!("wrote {page}");
    Ok(())
}
