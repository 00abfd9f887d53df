//! Hidden Markov models: what is seen, and the states behind it.
//!
//! z_0 ~ π, z_{t+1} ~ A(z_t, ·), x_t ~ the distribution of state z_t. A [`HiddenMarkovModel`] holds π, A and
//! the distributions of the observations ([`Emissions`](crate::emission::Emissions)); [`Topology`] says which
//! steps a new model allows.
//!
//! | question | answer |
//! |---|---|
//! | what is the state now, and what comes next? | [`Filter`], as observations come in |
//! | what was it, a little later? | [`FixedLag`] |
//! | how probable is a sequence, which states are behind it? | [`Inference`] |
//! | what could have happened? | [`simulate`](HiddenMarkovModel::simulate) |
//!
//! # References
//! L. R. Rabiner, A tutorial on hidden Markov models and selected applications in speech recognition,
//! Proceedings of the IEEE 77 (1989). C. M. Bishop, Pattern Recognition and Machine Learning, 2006,
//! chapter 13.

mod filter;
mod fixed_lag;
mod given;
mod inference;
mod model;
#[cfg(feature = "serde")]
mod serde_form;
mod simulate;
mod topology;

pub use filter::Filter;
pub use fixed_lag::FixedLag;
pub(crate) use given::{chain, long_chain};
pub use inference::{Decoding, Inference};
pub use model::HiddenMarkovModel;
pub use topology::Topology;
