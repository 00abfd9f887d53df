//! Draws as files.
