//! `posterior series`: what is behind a series, and what comes after it.

mod analysis;
pub(crate) mod forecast;
mod report;
mod saved_model;
mod series_input;
pub(crate) mod smooth;
mod specification;
mod timeline;
