//! Tests of the crate through its public interface.

mod corpus;
mod enumeration;
mod examples;
