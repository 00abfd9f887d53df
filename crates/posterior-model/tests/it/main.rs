//! Tests of the crate.

mod allocation;
mod data;
mod densities;
mod functions;
mod hostile;
mod sampling;
