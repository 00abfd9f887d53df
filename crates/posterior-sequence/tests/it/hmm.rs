//! Hidden Markov models.

mod model;
#[cfg(feature = "serde")]
mod stored;
mod table;
