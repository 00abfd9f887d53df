//! Tempering.
