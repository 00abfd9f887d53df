//! Rejection sampling, with a bound that is given or found.
