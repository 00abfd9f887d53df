//! `posterior bandit`: which arm to play next, and what policies lose.

pub(crate) mod advise;
mod advise_report;
mod history_input;
pub(crate) mod simulate;
mod simulate_report;
mod when_to_stop;

use crate::failure::Failure;

/// An error of the decisions is one of the options, unless it is said where in the data it is.
fn wrong(error: &posterior::decision::Error) -> Failure {
    Failure::Usage(error.to_string())
}
