//! Tests of the crate through its public interface.

mod any_model;
mod belief_propagation;
mod best_states;
mod bn_repository;
mod conditioning;
mod corpus;
mod elimination_on_networks;
mod em_coins;
mod em_gaussian_mixture;
mod em_hidden_markov;
mod enumeration;
mod examples;
mod graph_cut;
mod impact;
mod jeffrey;
mod laplace;
mod learning;
mod random_models;
mod relevant;
mod tree;
mod variable_elimination;
mod variational_gaussian;
mod variational_gaussian_mixture;
mod variational_topics;
mod what_networks_estimate;
