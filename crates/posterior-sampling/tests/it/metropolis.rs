//! Metropolis-Hastings.
