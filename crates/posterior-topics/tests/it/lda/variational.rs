//! Variational Bayes: exact numbers, laws of the bound, and misuse.

mod exact;
pub(super) mod fitting;
mod reference;
