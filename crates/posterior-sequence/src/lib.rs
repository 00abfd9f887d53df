//! Models of sequences: Markov chains, hidden Markov models, conditional random fields.
//!
//! ```
//! use posterior_sequence::math::linalg::DMatrix;
//! use posterior_sequence::chain::{LinearChain, Edges, Transitions};
//!
//! // Three positions with two states each, and their scores; equal neighbours are worth more.
//! let nodes = [1.0, 0.0, 0.2, 0.5, 0.0, 1.5];
//! let steps = Transitions::from_ln(&DMatrix::from_row_slice(2, 2, &[0.5, -0.5, -0.5, 0.5]))?;
//! let chain = LinearChain::new(&[0.0, 0.0], Edges::Same(&steps), &nodes)?;
//! assert!((chain.ln_z() - 4.257149359456737).abs() < 1e-14);
//! assert_eq!(chain.best_path().unwrap().states, [0, 1, 1]);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | scores of states and of steps between them | [`chain`]: sums, best paths, draws, in linear time |
//! | observed states | [`markov_chain`] |
//! | symbols, counts or vectors with hidden states | [`hmm`]; fits by [`baum_welch`], [`variational`], [`gibbs`] |
//! | states of long duration, or an unknown number of them | [`semi_markov`], [`sticky`] |
//! | labelled positions with attributes | [`crf`], with [`columns`](text::columns), [`templates`](text::templates), [`chunking`](text::chunking) |
//! | a text in a secret alphabet, or without tags | [`cipher`], [`tagger`] |
//!
//! All of it is message passing on a chain: hidden Markov models and conditional random fields borrow the
//! workspace of [`chain`].
//!
//! Features are never hashed: names are interned, and unknown ones are counted.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `rayon` | no | sequences, and restarts, on several threads |
//! | `serde` | no | models as JSON and the like, and files of models |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod baum_welch;
pub mod bayesian;
pub mod chain;
pub mod cipher;
pub mod crf;
pub mod emission;
mod error;
pub mod gibbs;
pub mod hmm;
pub mod markov_chain;
mod parallel;
pub mod semi_markov;
pub mod sticky;
mod stochastic;
pub mod tagger;
pub mod variational;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_evaluation as evaluation, posterior_gaussian as gaussian,
    posterior_inference as inference, posterior_latent as latent, posterior_math as math,
    posterior_sampling as sampling, posterior_text as text,
};

pub use error::Error;
