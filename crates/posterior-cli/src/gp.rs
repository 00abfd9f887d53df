//! `posterior gp`: functions from noisy values, with error bars.

mod answer;
mod classification;
mod data_input;
pub(crate) mod fit;
mod learning;
mod many;
mod model;
pub(crate) mod predict;
mod prior;
mod regression;
mod report;
mod settings;
mod text;
