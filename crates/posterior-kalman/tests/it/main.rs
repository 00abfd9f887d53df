//! What the crate promises, through its public API.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batch;
mod continuous;
mod diagnostics;
mod differentiable_filter;
mod diffuse;
mod discrete;
mod example_models;
mod filter;
mod forecast;
mod information;
mod learning;
mod non_gaussian;
mod nonlinear;
mod online;
mod oracle;
mod parallel;
mod particles;
mod random_model;
mod reference;
mod simulation;
mod smoother;
#[cfg(feature = "serde")]
mod stored;
mod structural;
