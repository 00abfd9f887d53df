//! Sequences: Markov chains, n-gram models, hidden Markov models, linear-chain conditional random fields.

pub mod alphabet;
pub mod baum_welch;
pub mod bayesian;
pub mod chain;
pub mod cipher;
pub mod class_bigram;
pub mod columns;
pub mod crf;
pub mod emission;
mod error;
pub mod evaluation;
pub mod gibbs;
pub mod hmm;
pub mod markov_chain;
pub mod ngram;
pub mod pitman_yor;
pub mod punctuation;
pub mod semi_markov;
pub mod sticky;
pub mod tagger;
pub mod templates;
pub mod variational;

pub use error::Error;
