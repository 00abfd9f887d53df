//! Variational Bayes: exact numbers, distributions of the bound, and misuse.

mod exact;
pub(super) mod fitting;
mod reference;
