//! `posterior gp`: functions from noisy values, with error bars.

mod answer;
mod auto_kernel;
mod classification;
mod data_input;
pub(crate) mod fit;
mod kernel_path;
mod learning;
mod many;
mod model;
mod observed;
pub(crate) mod predict;
mod prior;
mod regression;
mod report;
mod settings;
mod text;
mod time_column;
