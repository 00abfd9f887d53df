//! `posterior mcmc`: what is to be known about draws before they are used, models by their draws, and other
//! formats.

pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod diagnose;
pub(crate) mod draws_input;
pub(crate) mod report;
