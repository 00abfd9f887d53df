//! `posterior series`: what is behind a series, and what comes after it.

mod analysis;
mod report;
mod series_input;
pub(crate) mod smooth;
mod specification;
mod timeline;
