//! Tests of the crate through its public interface.

mod by_hand;
mod calibration;
mod label_sets;
mod reliability;
mod stacking;
