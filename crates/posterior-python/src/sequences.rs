//! Fits and predictions that the models in `python/posterior_rs/sequences` are made of.

mod hidden_markov;
mod parameters;
mod random_field;

pub(crate) use hidden_markov::{hmm_decode, hmm_fit, hmm_posteriors, hmm_score, hmm_simulate};
pub(crate) use random_field::RandomField;
