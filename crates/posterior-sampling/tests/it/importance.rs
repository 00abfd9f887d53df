//! Importance sampling.
