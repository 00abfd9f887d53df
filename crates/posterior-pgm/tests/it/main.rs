//! Tests of the crate through its public interface.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod formats;
mod forward;
mod information;
mod learning;
mod log_linear;
mod misuse;
mod models;
mod network_builder;
