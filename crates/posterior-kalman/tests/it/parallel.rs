//! The scan over time against the loop over time.
