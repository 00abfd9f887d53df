//! Tests of the crate through its public interface.

mod check;
mod error_function;
mod incomplete_gamma;
mod iteration;
mod laws;
mod polygamma;
mod special_values;
mod tables;
