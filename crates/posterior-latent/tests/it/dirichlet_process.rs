//! What is promised of samplers of Dirichlet and Pitman-Yor mixtures.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calibration;
mod chains;
mod edges;
mod galaxies;
mod kernels;
mod priors;
