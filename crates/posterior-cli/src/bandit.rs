//! `posterior bandit`: which arm to play next, and what policies lose.

pub(crate) mod advise;
mod advise_report;
mod history_input;
pub(crate) mod simulate;
mod simulate_report;
mod when_to_stop;

pub(crate) use history_input::bounds;
