//! Tests of the crate through its public interface.

mod autodiff;
mod bijection;
mod check;
mod integrate;
mod iteration;
mod laws;
mod optimize;
mod quadrature;
mod special_values;
mod streaming;
mod tables;
