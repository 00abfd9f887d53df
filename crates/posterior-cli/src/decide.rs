//! `posterior decide`: experiments, and what to do.

pub(crate) mod ab;
mod ab_input;
mod ab_report;
mod ab_standing;
pub(crate) mod contextual;
pub(crate) mod diagram;
mod diagram_input;
pub(crate) mod off_policy;
pub(crate) mod power;
pub(crate) mod process;
mod process_input;
pub(crate) mod table;
