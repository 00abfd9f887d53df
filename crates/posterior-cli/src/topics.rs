//! `posterior topics`: fit topic models and apply them.

mod artefacts;
mod coherence;
mod components;
mod corpus_input;
mod covariates;
mod documents;
mod effects;
mod features;
pub(crate) mod fit;
mod fit_result;
mod fitted_model;
mod held_out;
pub(crate) mod infer;
mod methods;
mod passages;
mod posterior_draws;
mod predictions;
mod reading;
mod runs;
mod saved_model;
mod seeds;
pub(crate) mod store;
mod streaming;
mod structural_effects;
mod sweep;
mod texts;
mod word_courses;
