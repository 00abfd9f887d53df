//! `posterior gp`: functions from noisy values, with error bars.

mod answer;
mod artefacts;
mod classification;
mod data_input;
pub(crate) mod fit;
mod learning;
mod regression;
mod report;
mod text;
