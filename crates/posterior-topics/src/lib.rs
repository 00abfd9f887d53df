//! Corpora and topic models: latent Dirichlet allocation by collapsed Gibbs sampling.

pub mod corpus;
mod error;

pub use corpus::Corpus;
pub use error::Error;
