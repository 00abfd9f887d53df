//! The binary as its users meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod bandit;
mod classify;
mod cluster;
mod contract;
mod crf;
mod dist;
mod gallery;
mod gp;
mod hmm;
mod mcmc;
mod net;
mod net_draws;
mod pca;
mod program;
mod regress;
mod resume;
mod sequence;
mod series;
mod tables;
mod text;
