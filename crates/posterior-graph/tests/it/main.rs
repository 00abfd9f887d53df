//! Tests of the crate through its public interface.

mod ancestry;
mod arbitrary;
mod chordality;
mod construction;
mod oracles;
mod requisite;
mod separation;
mod tables;
mod treewidth;
mod triangulation;
