//! Tests of `markov_chain`.
