//! Gibbs sampling of hidden Markov models: exact distributions by enumeration, calibration, predictions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calibration;
mod chains;
mod enumeration;
