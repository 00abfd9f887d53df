//! Tests of the crate through its public interface.

mod bif;
mod learning;
mod models;
