//! Learning by expectation maximisation.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod limits;
mod models;
mod nasty;
mod reference;
mod starts;
