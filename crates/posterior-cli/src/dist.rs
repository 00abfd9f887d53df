//! `posterior dist`: a calculator for distributions.

mod describe;
mod learn;
pub(crate) mod list;
mod picture;
pub(crate) mod show;
pub(crate) mod text_input;
