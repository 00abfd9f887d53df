//! `posterior series`: what is behind a series, and what comes after it.

mod accuracy;
mod analysis;
pub(crate) mod backtest;
mod calendar;
mod candidates;
pub(crate) mod forecast;
mod mixture;
mod moments;
mod parameter_points;
mod prediction;
mod recipe;
mod report;
mod saved_model;
mod seen_as;
mod series_input;
mod signal_analysis;
mod signal_fit;
mod signal_mixture;
mod signal_target;
pub(crate) mod smooth;
mod smoothed_file;
mod specification;
mod structure;
mod timeline;
mod transform;
mod unusual;
