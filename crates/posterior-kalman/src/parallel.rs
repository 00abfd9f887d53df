//! Filter and smoother as a scan over time.
