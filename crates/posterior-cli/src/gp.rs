//! `posterior gp`: functions from noisy values, with error bars.

mod answer;
mod artefacts;
mod data_input;
pub(crate) mod fit;
mod regression;
mod report;
mod text;
