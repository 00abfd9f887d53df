//! Tests of the crate through its public interface.

mod bif;
mod information;
mod formats;
mod learning;
mod models;
