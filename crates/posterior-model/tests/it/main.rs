//! Tests of the crate.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod allocation;
mod calls;
mod complex;
mod courses;
mod data;
mod densities;
mod explained;
mod functions;
mod hostile;
mod modes;
mod planned;
mod sampling;
mod stiff;
mod summaries;
