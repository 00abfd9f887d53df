//! What the crate promises, through its public API.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bandit;
mod concentration;
mod contextual;
mod decision_process;
mod influence_diagram;
mod loss;
mod optimization;
mod reference;
mod stopping;
