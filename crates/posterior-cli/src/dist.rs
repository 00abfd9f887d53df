//! `posterior dist`: a calculator for distributions, and fits of them.

mod describe;
pub(crate) mod fit;
mod fit_report;
mod fitted;
mod learn;
pub(crate) mod list;
mod picture;
mod sample_input;
pub(crate) mod show;
pub(crate) mod text_input;
