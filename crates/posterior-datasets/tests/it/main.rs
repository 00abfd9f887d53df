//! The embedded data against their sources.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod digits;
mod english_letters;
mod registry;
mod series;
mod sotu;
mod tables;
