//! Slice sampling.
