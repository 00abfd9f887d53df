//! `posterior gallery`.

mod index;
mod list;
mod one;
pub(crate) mod run;
