//! Symbols and their numbers.
