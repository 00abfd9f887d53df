//! Gibbs sampling.
