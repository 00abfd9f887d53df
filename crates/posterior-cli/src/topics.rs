//! `posterior topics`: fit topic models and apply them.

mod artefacts;
mod corpus_input;
pub(crate) mod fit;
pub(crate) mod infer;
mod progress;
mod result;
