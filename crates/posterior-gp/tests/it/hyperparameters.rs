//! Fits of hyperparameters.
