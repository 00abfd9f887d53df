//! `posterior topics`: fit topic models and apply them.

mod artefacts;
mod corpus_input;
pub(crate) mod fit;
mod fit_result;
pub(crate) mod infer;
mod methods;
mod passages;
mod saved_model;
