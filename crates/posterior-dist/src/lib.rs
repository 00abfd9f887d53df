//! Probability distributions, exponential families and conjugacy.
