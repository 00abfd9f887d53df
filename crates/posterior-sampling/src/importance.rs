//! Importance sampling and what its weights are worth.
