//! What the crate promises, through its public API.

mod alphabet;
mod baum_welch;
mod chain;
mod chunking;
mod cipher;
mod class_bigram;
mod columns;
mod crf;
#[cfg(feature = "serde")]
mod crf_model_file;
mod crf_shared_data;
mod crf_stochastic;
mod emission;
#[cfg(feature = "serde")]
mod fitted_models;
mod gibbs;
mod hmm;
mod letters;
mod markov_chain;
mod ngram;
mod pitman_yor;
mod punctuation;
mod semi_markov;
mod sticky;
mod tagger;
mod templates;
mod variational;
