//! Monte Carlo methods, from rejection sampling to NUTS, with standard errors and diagnostics.
//!
//! A [`Transition`] is one move that leaves the density of a target alone; an [`Adapt`] tunes one while it
//! runs, and is then done; a [`Run`] drives several chains of either, one stream of random numbers each, and
//! returns [`Draws`]. The draws depend on the seed and never on the number of threads.
//!
//! ```
//! use posterior_sampling::dist::formula::{beta, binomial};
//! use posterior_sampling::dist::target::{Joint, JointModel, JointTarget};
//! use posterior_sampling::hamiltonian::Nuts;
//! use posterior_sampling::math::autodiff::Real;
//! use posterior_sampling::{Run, Start};
//!
//! /// Seven heads in twelve throws of a coin, with a flat prior of its probability.
//! struct Coin;
//!
//! impl JointModel for Coin {
//!     fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
//!         let p = joint.probability("p");
//!         joint.add(beta(p, 1.0, 1.0));
//!         joint.add(binomial(7, 12, p));
//!     }
//! }
//!
//! let posterior = JointTarget::new(Coin)?;
//! let sampled = Run { seed: 1, ..Run::default() }.sample(&posterior, &Nuts::default(), &Start::default())?;
//! let summary = sampled.draws.of_model(&posterior)?.summary();
//! assert!(summary.warnings.is_empty());
//! println!("{summary}"); // p: mean 0.571, the mean of Beta(8, 6), and how far off it may be
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | a function of draws | [`estimate`]: means with standard errors, control variates, quasi-random points |
//! | a distribution under an envelope, or a log-concave density | [`rejection`] |
//! | draws from a distribution that is nearly the right one | [`importance`]: weights, and what they are worth |
//! | a density with its gradient | [`hamiltonian`]: NUTS and HMC; [`variational`] for a Gaussian near it |
//! | a density alone | [`metropolis`], [`slice`](mod@slice) |
//! | the distribution of each block given the others | [`gibbs`] |
//! | a hierarchy, whose effects are Gaussian given the rest, or nearly so | [`marginal`] |
//! | several kernels for one target | [`composite`] |
//! | draws of a posterior, and a question about the evidence | [`bridge`] |
//! | several modes, or a question about the evidence | [`tempering`]: annealed importance sampling, SMC, parallel tempering |
//! | a network too large for exact engines | `network`, with the feature `networks` |
//! | draws, from here or from elsewhere | [`Draws`], [`diagnostics`] |
//! | a sampler of your own | [`calibration`] tells whether it is right, [`markov_chain`] why |
//!
//! *Not here:* a modelling language. A target is a function with a gradient ([`posterior_dist::target`]).
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `networks` | no | samplers of networks and fields: `network` |
//! | `simd` | no | Fourier transforms, which diagnostics take, by the vectors of the machine: faster, and a longer build |
//! | `rayon` | no | chains on several threads |
//! | `serde` | no | chains that can be written down and resumed to the bit |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod adapt;
#[cfg(feature = "serde")]
mod any_float;
pub mod bridge;
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
pub mod marginal;
pub mod markov_chain;
pub mod metropolis;
#[cfg(feature = "networks")]
pub mod network;
pub mod rejection;
mod run;
pub mod slice;
mod start;
pub mod tempering;
mod transition;
pub mod variational;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_gaussian as gaussian, posterior_math as math};
#[cfg(feature = "networks")]
#[doc(no_inline)]
pub use {posterior_graph as graph, posterior_inference as inference, posterior_pgm as pgm};

pub use adapt::{Adapt, Learner, LearnerOf, Started, StartedOf, Untuned};
pub use chain::{Chain, ChainReport};
pub use draws::{ArvizGroups, CmdstanFile, Draws, FileError};
pub use error::Error;
pub use run::{Chains, ChainsOf, Run, Sampled};
pub use start::Start;
pub use transition::{DivergentTransition, Info, State, Transition};
