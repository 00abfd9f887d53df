//! What the crate promises, through its public API.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calibration;
mod chains;
mod classic_chains;
mod counts_to_come;
mod coverage;
mod dense;
mod edges;
mod exact;
mod formula;
mod gradients;
mod grid;
mod integration;
mod joint;
mod large;
mod leave_out;
mod lme4;
mod map_edges;
mod maps;
mod new_response;
mod priors;
mod program;
mod quadrature;
mod response_chains;
mod response_coverage;
mod response_oracles;
mod responses;
mod rstanarm;
mod smooth;
mod surface;
mod unpooled;
