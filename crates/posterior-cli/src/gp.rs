//! `posterior gp`: functions from noisy values, with error bars.

mod artefacts;
mod data_input;
pub(crate) mod fit;
mod report;
