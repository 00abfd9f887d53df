//! `posterior decide`: experiments, and what to do.

pub(crate) mod ab;
mod ab_input;
mod ab_report;
mod ab_standing;
pub(crate) mod power;
