//! Finite Markov chains.
