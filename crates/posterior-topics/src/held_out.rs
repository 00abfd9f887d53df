//! How well a model knows documents that it has not seen.
//!
//! The likelihood of a document under topics `phi` and the prior `Dir(alpha)` of its proportions is a sum
//! over all `K^N` assignments of topics to its `N` tokens (in their order; a bag of words has as many orders
//! more):
//!
//! ```text
//! p(w) = sum_z p(z | alpha) prod_n phi_{z_n w_n}
//! ```
//!
//! | function | how | cost of a document |
//! |---|---|---|
//! | [`document_completion`] | one half by the proportions of the other: no likelihood, but any model, and no chance | a fold-in |
//! | [`left_to_right`] | particles that read the tokens in order (Wallach et al. 2009; unbiased when resampled) | runs x particles x N x revisited x K |
//! | [`chib`] | the posterior of one assignment, by a chain about it (Murray and Salakhutdinov 2009) | runs x (warm-up + 2 length) x N x K |
//! | [`annealed`] | importance sampling along a path from prior to posterior (Neal 2001) | runs x temperatures x N x K |
//! | [`exact`] | dynamic programming over counts | N K (N + 1)^(K - 1) |
//!
//! The three by chance return independent, unbiased estimates of `p(w)`, averaged, with the standard error
//! of the logarithm. The mean of a logarithm is too low by about half the square of that error: a bad
//! sampler makes a model look worse, never better. Each run of each document has a random stream of its
//! own, so that results do not depend on the threads. [`per_token`] says how much a score would differ with
//! other documents.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_topics::held_out::{LeftToRight, exact, left_to_right};
//! use posterior_topics::{Corpus, Topics};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let phi = DMatrix::from_row_slice(2, 3, &[0.6, 0.4, 0.0, 0.0, 0.3, 0.7]);
//! let topics = Topics::new(words.clone(), phi, vec![0.5, 0.5], vec![0.3, 0.35, 0.35])?;
//! let unseen = Corpus::from_rows(words, vec!["shore".to_owned()], vec![vec![(0, 4), (1, 3), (2, 1)]])?;
//!
//! let known = exact(&topics, &[0.5, 0.5], &unseen, 1_000)?;
//! let estimate = left_to_right(&topics, &[0.5, 0.5], &unseen, &LeftToRight::default())?;
//! let error = (estimate.ln_likelihood[0] - known.ln_likelihood[0]).abs();
//! assert!(error < 4.0 * estimate.standard_errors[0]);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! H. Wallach, I. Murray, R. Salakhutdinov, D. Mimno, Evaluation methods for topic models, ICML 2009. I.
//! Murray, R. Salakhutdinov, Evaluating probabilities under high-dimensional latent variable models,
//! NIPS 2008. W. Buntine, Estimating likelihoods for topic models, ACML 2009.

mod annealed;
mod assignment;
mod chib;
mod completion;
mod estimate;
mod exact;
mod left_to_right;
mod per_token;
mod tokens;

pub use annealed::{Annealed, annealed};
pub use chib::{Chib, chib};
pub use completion::{Completion, document_completion};
pub use estimate::HeldOutEstimate;
pub use exact::exact;
pub use left_to_right::{LeftToRight, Particles, left_to_right};
pub use per_token::{PerToken, per_token};
