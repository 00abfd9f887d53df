//! Tests of the crate through its public interface.

mod any_model;
mod belief_propagation;
mod best_states;
mod bn_repository;
mod conditioning;
mod corpus;
mod elimination_on_networks;
mod enumeration;
mod examples;
mod goldens;
mod graph_cut;
mod impact;
mod jeffrey;
mod random_models;
mod relevant;
mod variable_elimination;
