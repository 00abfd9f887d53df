//! Tests of the crate through its public interface.

mod check;
mod incomplete_beta;
mod error_function;
mod iteration;
mod laws;
mod linalg;
mod optimize;
mod quadrature;
mod special_values;
mod streaming;
mod tables;
