//! `posterior gp`: functions from noisy values, with error bars.

mod answer;
mod classification;
mod counts;
mod data_input;
pub(crate) mod fit;
mod learning;
mod prior;
mod regression;
mod report;
mod text;
