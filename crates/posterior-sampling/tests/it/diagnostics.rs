//! Diagnostics against the reference tables.
