//! Corpora and topic models: latent Dirichlet allocation by collapsed Gibbs sampling.

pub mod corpus;
mod error;
pub mod held_out;
pub mod lda;
pub mod similarity;
pub mod top_words;
mod trend;

pub use corpus::Corpus;
pub use error::Error;
pub use trend::Trend;
