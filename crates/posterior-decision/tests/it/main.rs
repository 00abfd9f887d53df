//! What the crate promises, through its public API.

mod bandit;
mod concentration;
mod contextual;
mod influence_diagram;
mod loss;
mod optimization;
mod reference;
mod stopping;
