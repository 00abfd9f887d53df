//! Tests of the crate through its public interface.

mod corpus;
mod em_coins;
mod em_gaussian_mixture;
mod em_hidden_markov;
mod enumeration;
mod examples;
mod laplace;
mod variational_gaussian;
mod variational_gaussian_mixture;
mod variational_topics;
mod what_networks_estimate;
