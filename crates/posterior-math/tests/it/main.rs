//! Tests of the crate through its public interface.

mod check;
mod laws;
mod special_values;
mod tables;
