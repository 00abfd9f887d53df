//! Bayesian optimisation: where to look next for the least value of a costly function.
