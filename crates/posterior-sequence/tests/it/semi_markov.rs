//! Tests of `semi_markov`.
