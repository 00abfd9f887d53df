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
mod report;
mod saved_model;
mod series_input;
pub(crate) mod smooth;
mod smoothed_file;
mod specification;
mod structure;
mod timeline;
mod transform;
mod unusual;
