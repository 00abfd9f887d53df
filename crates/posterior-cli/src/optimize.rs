//! `posterior optimize`: what to try next, of anything that has inputs and an outcome.

mod acquisition_text;
pub(crate) mod ask;
mod history;
mod inequality;
pub(crate) mod init;
mod input;
mod noise_text;
mod outcome_bound;
pub(crate) mod show;
mod show_report;
mod standing;
mod study;
pub(crate) mod tell;
