//! Tests of the crate through its public interface.

mod by_hand;
mod reliability;
mod stacking;
