//! What the samplers promise, through their public API.

mod adversarial;
mod calibration;
mod composite;
mod diagnostics;
mod estimate;
mod gibbs;
mod hamiltonian;
mod importance;
mod invariance;
mod io;
mod marginal;
mod markov_chain;
mod metropolis;
#[cfg(feature = "networks")]
mod network;
mod parallel_tempering;
mod posteriors;
mod rejection;
mod runs;
mod slice;
mod tempering;
mod variational;
