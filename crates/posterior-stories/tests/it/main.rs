//! Stories, told.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod numbers;
mod table;
mod tagging;
