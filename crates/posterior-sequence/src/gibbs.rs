//! Draws from the posterior of a hidden Markov model.
