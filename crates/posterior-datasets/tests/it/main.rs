//! The embedded data against their sources.

mod english_letters;
mod registry;
mod series;
mod sotu;
mod tables;
