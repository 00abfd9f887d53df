//! Rejection sampling.
