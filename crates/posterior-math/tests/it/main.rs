//! Tests of the crate through its public interface.

mod bessel;
mod check;
mod error_function;
mod incomplete_beta;
mod incomplete_gamma;
mod iteration;
mod laws;
mod owens_t;
mod polygamma;
mod special_values;
mod tables;
