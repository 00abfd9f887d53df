//! Hidden Markov models.

mod enumeration;
mod filter;
mod inference;
mod model;
mod reference;
mod simulation;
#[cfg(feature = "serde")]
mod stored;
mod table;
mod unrolled;
