//! Tests of the crate through its public interface.

mod belief_propagation;
mod corpus;
mod enumeration;
mod examples;
mod random_models;
mod tree;
