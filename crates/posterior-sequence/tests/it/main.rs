//! What the crate promises, through its public API.

mod baum_welch;
mod chain;
mod cipher;
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
mod semi_markov;
mod sticky;
mod tagger;
mod variational;
