//! What the crate promises, through its public API.

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
mod nonlinear;
mod online;
mod oracle;
mod parallel;
mod random_model;
mod reference;
mod simulation;
mod smoother;
#[cfg(feature = "serde")]
mod stored;
mod structural;
