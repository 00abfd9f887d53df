//! Monte Carlo means with their standard errors.
