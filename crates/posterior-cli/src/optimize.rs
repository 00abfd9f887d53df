//! `posterior optimize`: what to try next, of anything that has inputs and an outcome.

pub(crate) mod ask;
mod history;
mod inequality;
pub(crate) mod init;
mod input;
pub(crate) mod show;
mod show_report;
mod standing;
mod study;
pub(crate) mod tell;
