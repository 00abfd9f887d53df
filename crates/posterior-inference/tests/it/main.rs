//! Tests of the crate through its public interface.

mod corpus;
mod em_coins;
mod em_gaussian_mixture;
mod em_hidden_markov;
mod enumeration;
mod examples;
