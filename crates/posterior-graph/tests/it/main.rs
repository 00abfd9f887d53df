//! Tests of the crate through its public interface.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ancestry;
mod arbitrary;
mod chordality;
mod cliques;
mod construction;
mod conversion;
mod distributions;
mod independence;
mod oracles;
mod order_search;
mod plates;
mod requisite;
mod separation;
mod tables;
mod treewidth;
mod triangulation;
