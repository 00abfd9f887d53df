//! Bayesian neural networks by Laplace approximation.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod derivatives;
mod exact;
mod extremes;
mod laplace;
mod misuse;
mod oracle;
mod predictive;
mod sampled;
mod scales;
mod training;
mod tuning;
#[cfg(feature = "serde")]
mod written;
