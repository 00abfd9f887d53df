//! Filters for observations that come one at a time.
