//! Mixtures of unigrams by Gibbs sampling, with the parameters integrated out or drawn.
//!
//! Weights have the prior Dir(gamma, .., gamma), the words of each topic Dir(beta, .., beta). With both
//! integrated out the topics of the documents have the distribution
//!
//! ```text
//! p(W, z) = B(gamma + N) / B(gamma) prod_k B(beta + n_k) / B(beta)
//! ```
//!
//! with N the documents and n_k the words of the topics. [`DocumentGibbs`] draws a document at a time from
//! it or, with [`DocumentSampler::Blocked`], all documents given the parameters and then the parameters given
//! all documents; both have this distribution, and the second one moves less a sweep.

mod blocked;
mod chain;
mod collapsed;
mod counts;
mod fit;
mod options;

pub use chain::DocumentGibbs;
pub use fit::fit;
pub use options::{DocumentMixtureGibbsOptions, DocumentSampler};
