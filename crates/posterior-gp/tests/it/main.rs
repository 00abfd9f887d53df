//! What the crate promises, through its public API.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod classification;
mod grid;
mod hyperparameters;
mod integration;
mod iterative;
mod kernel;
mod markov;
mod multi_output;
mod reference;
mod regression;
mod solver;
mod sparse;
mod spectrum;
mod support_vectors;
mod variational;
