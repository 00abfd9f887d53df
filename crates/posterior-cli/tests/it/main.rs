//! The binary as its users meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod bandit;
mod contract;
mod dist;
mod gp;
mod mcmc;
mod net;
mod net_draws;
mod program;
mod resume;
mod series;
mod text;
