//! Tests of the crate through its public interface.

mod bessel;
mod autodiff;
mod check;
mod incomplete_beta;
mod error_function;
mod incomplete_gamma;
mod iteration;
mod laws;
mod linalg;
mod optimize;
mod quadrature;
mod owens_t;
mod special_values;
mod streaming;
mod tables;
