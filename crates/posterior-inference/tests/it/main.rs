//! Tests of the crate through its public interface.

mod graph_cut;
