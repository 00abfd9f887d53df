//! The embedded data against their sources.

mod registry;
mod sotu;
