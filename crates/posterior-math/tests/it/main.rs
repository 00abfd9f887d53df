//! Tests of the crate through its public interface.

mod bessel;
mod autodiff;
mod bijection;
mod check;
mod error_function;
mod incomplete_gamma;
mod integrate;
mod incomplete_beta;
mod iteration;
mod laws;
mod linalg;
mod optimize;
mod quadrature;
mod owens_t;
mod polygamma;
mod special_values;
mod streaming;
mod tables;
