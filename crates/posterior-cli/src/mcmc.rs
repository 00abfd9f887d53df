//! `posterior mcmc`: what is to be known about draws before they are used.

pub(crate) mod diagnose;
mod draws_input;
mod report;
