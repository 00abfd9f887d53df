//! Stories, run to their end.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod fitted;
mod numbers;
mod table;
mod tagging;
mod texts;
