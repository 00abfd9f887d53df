//! Hidden Markov models.

mod enumeration;
mod filter;
mod model;
mod simulation;
#[cfg(feature = "serde")]
mod stored;
mod table;
