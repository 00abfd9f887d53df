//! Tests of the crate through its public interface.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod all_bits;
mod assignment;
mod autodiff;
mod bessel;
mod bijection;
mod check;
mod elementwise;
mod error_function;
mod identities;
mod incomplete_beta;
mod incomplete_gamma;
mod integrate;
mod iteration;
mod linalg;
mod optimize;
mod owens_t;
mod polygamma;
mod quadrature;
mod sparse;
mod special_values;
mod streaming;
mod tables;
