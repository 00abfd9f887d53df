//! Tests of the crate through its public interface.

mod ancestry;
mod arbitrary;
mod construction;
mod oracles;
mod requisite;
mod separation;
mod tables;
