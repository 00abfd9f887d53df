//! Tests of the crate through its public interface.

mod boxes;
mod directions;
mod edges;
mod gaussian;
mod gaussian_priors;
mod learn;
mod markov_field;
mod matrix_distributions;
mod misuse;
mod parameters;
mod stability;
mod text;
#[cfg(feature = "serde")]
mod text_serde;
