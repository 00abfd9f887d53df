//! What the crate promises, through its public API.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alphabet;
mod chunking;
mod class_bigram;
mod columns;
#[cfg(feature = "corpora")]
mod corpus;
#[cfg(feature = "corpora")]
mod naive_bayes;
mod ngram;
mod pitman_yor;
mod punctuation;
mod templates;
