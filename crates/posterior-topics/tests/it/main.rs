//! Corpora and topic models through the public interface.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bigram_topics;
mod coherence;
mod cross_engine;
mod dirichlet_regression;
mod document_mixture;
mod dynamic_topics;
mod fitted_models;
mod hdp;
mod held_out;
#[cfg(feature = "kernels")]
mod kernel_topics;
mod labelled_topics;
mod lda;
mod nonnegative_factorization;
mod perplexity_ladder;
mod pitman_yor_topics;
mod plsa;
mod semantic_analysis;
mod similarity;
mod stability;
mod stopping;
mod structural_topics;
mod supervised_topics;
mod topic_map;
mod trend;
mod unigram;
