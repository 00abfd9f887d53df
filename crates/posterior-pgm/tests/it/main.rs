//! Tests of the crate through its public interface.

mod formats;
mod learning;
mod models;
