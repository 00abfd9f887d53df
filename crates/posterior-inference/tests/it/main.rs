//! Tests of the crate through its public interface.

mod any_model;
mod belief_propagation;
mod best_states;
mod corpus;
mod enumeration;
mod examples;
mod graph_cut;
mod mean_field;
mod random_models;
mod relevant;
mod tree;
mod tree_reweighted;
mod variable_elimination;
