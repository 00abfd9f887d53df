//! Decisions: what to do with a posterior.

pub mod bandit;
pub mod concentration;
pub mod contextual;
mod error;
pub mod influence_diagram;
pub mod loss;
pub mod optimization;
pub mod stopping;

pub use error::Error;
