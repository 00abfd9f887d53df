//! Tests of the crate through its public interface.

mod check;
mod incomplete_beta;
mod error_function;
mod iteration;
mod laws;
mod special_values;
mod tables;
