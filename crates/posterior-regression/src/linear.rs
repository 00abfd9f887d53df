//! Bayesian linear regression.
