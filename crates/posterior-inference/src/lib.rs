//! Engines of inference, and drivers of fits that need them.
//!
//! *Refuses:* Monte Carlo, which is `posterior-sampling`.

pub mod graph_cut;
