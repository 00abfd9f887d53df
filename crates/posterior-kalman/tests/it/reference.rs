//! The table of 30 digits.
