//! The embedded data against their sources.

mod registry;
mod series;
mod sotu;
mod tables;
