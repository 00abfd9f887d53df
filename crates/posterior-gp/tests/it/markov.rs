//! Markov processes against dense matrices.
