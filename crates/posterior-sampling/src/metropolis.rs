//! Metropolis-Hastings: propose, then accept or stay.

mod random_walk;

pub use random_walk::RandomWalk;
