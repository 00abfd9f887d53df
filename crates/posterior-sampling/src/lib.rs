//! Monte Carlo with its error bars.
//!
//! A [`Transition`] is one move that leaves the density of a target alone; an [`Adapt`] tunes one while it runs, and is then done;
//! a [`Run`] drives several chains of either, one stream of random numbers each, and returns [`Draws`]. The draws depend on the
//! seed and never on the number of threads.
//!
//! *Refuses:* automatic model building. A target is a function with a gradient ([`posterior_dist::target`]).

mod adapt;
#[cfg(feature = "serde")]
mod any_float;
pub mod calibration;
mod chain;
pub mod composite;
pub mod diagnostics;
mod draws;
mod error;
pub mod estimate;
mod evaluation;
pub mod gibbs;
pub mod hamiltonian;
pub mod importance;
pub mod markov_chain;
pub mod metropolis;
pub mod network;
pub mod rejection;
mod run;
pub mod slice;
mod start;
pub mod tempering;
mod transition;
pub mod variational;

pub use adapt::{Adapt, Fixed, Started, StartedOf};
pub use chain::{Chain, ChainReport};
pub use draws::{Draws, FileError};
pub use error::Error;
pub use run::{Chains, ChainsOf, Run, Sampled};
pub use start::Start;
pub use transition::{Divergence, Info, State, Transition};
