//! Charts and pages are well-formed whatever the numbers, and say what they were given.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod charts;
mod page;
