//! Tests of the crate through its public interface.

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
