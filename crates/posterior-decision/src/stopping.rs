//! When to stop: which arm is best, and how sure that is.
