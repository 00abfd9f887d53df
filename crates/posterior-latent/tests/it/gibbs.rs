//! What is promised of Gibbs samplers of mixtures.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod enumeration;
mod fast_gaussian;
mod membership;
