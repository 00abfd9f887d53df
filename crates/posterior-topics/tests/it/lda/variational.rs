//! Variational Bayes: exact numbers, properties of the bound, and misuse.

mod exact;
pub(super) mod fitting;
mod points;
mod reference;
