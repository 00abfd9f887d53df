//! What the crate promises, through its public API.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chains;
mod coverage;
mod dense;
mod edges;
mod exact;
mod gradients;
mod integration;
mod large;
mod lme4;
mod priors;
mod quadrature;
