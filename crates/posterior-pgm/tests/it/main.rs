//! Tests of the crate through its public interface.

mod formats;
mod forward;
mod information;
mod learning;
mod log_linear;
mod misuse;
mod models;
