//! Corpora, text classifiers and topic models: what a collection of texts is about, and how that changes.
//!
//! | module | for |
//! |---|---|
//! | [`corpus`] | bags of words from folders, JSON Lines, CSV, UCI and LDA-C; tokenizer, vocabularies, splits, tf-idf |
//! | [`lda`] | latent Dirichlet allocation by collapsed Gibbs sampling: fits, models, checkpoints, unseen documents |
//! | [`hdp`] | hierarchical Dirichlet processes: as many topics as the corpus asks for; checkpoints |
//! | [`pitman_yor_topics`] | topics with long tails of rare words, around a distribution that they share |
//! | [`plsa`] | probabilistic latent semantic analysis by EM, tempered too, with priors if wanted |
//! | [`document_mixture`] | one topic a document: EM, hard and stochastic EM, Gibbs sampling |
//! | [`semantic_analysis`] | latent semantic analysis by truncated singular values |
//! | [`nonnegative_factorization`] | non-negative factors of counts, under the Kullback-Leibler divergence and by least squares |
//! | [`bigram_topics`] | topics of pairs of words, by collapsed Gibbs sampling |
//! | [`unigram`] | one topic for all documents |
//! | `kernel_topics` | proportions of topics over time with bands; priors of proportions from time and labels by Gaussian processes |
//! | [`dirichlet_regression`] | priors of proportions from features of the documents |
//! | [`dynamic_topics`] | topics whose words drift from one time to the next |
//! | [`labelled_topics`] | a topic for each label of documents that have several, and labels of new documents |
//! | [`structural_topics`] | topics that go together, with proportions and words that depend on what is known of a document |
//! | [`supervised_topics`] | topics that predict a number or a yes or no of each document |
//! | [`top_words`] | the words that describe a topic, by probability, relevance, lift or FREX |
//! | [`held_out`] | likelihood of documents that the model has not seen: completion, left-to-right, Chib, annealing, exact |
//! | [`coherence`] | coherence of topics against texts, diversity, exclusivity |
//! | [`stability`] | topics of several fits matched; what they agree on |
//! | [`topic_map`] | topics as points of a plane |
//! | [`Trend`] | proportions of topics over the time of the documents |
//! | [`similarity`] | documents compared by their topics: nearest, most typical, sharpest turns |
//!
//! ```
//! use posterior_topics::math::iteration::Silent;
//! use posterior_topics::corpus::{CorpusBuilder, StopWords, VocabularyOptions};
//! use posterior_topics::{TopicModel, lda::gibbs, top_words};
//!
//! // Two documents about a shore, two about a branch; both have banks.
//! let words = VocabularyOptions { stop_words: StopWords::english(), ..VocabularyOptions::default() };
//! let tokenizer = words.tokenizer;
//! let mut builder = CorpusBuilder::new(words)?;
//! builder.push("shore", "The river bank: river, stone, river and stone, and a river. Stone!");
//! builder.push("branch", "The bank lends money, a loan of money; the money and the loan of a bank.");
//! builder.push("ford", "A stone in the river, the stone of a river bank, the river over a stone.");
//! builder.push("vault", "Money in the bank: the loan of money is money of the bank, a loan.");
//! let (corpus, report) = builder.build()?;
//! print!("{report}"); // what each filter of the vocabulary removed
//!
//! let options = gibbs::LdaGibbsOptions {
//!     topics: 2,
//!     alpha: 0.1.into(),
//!     iterations: 300,
//!     seed: 1,
//!     ..gibbs::LdaGibbsOptions::default()
//! };
//! let fitted = gibbs::fit(&corpus, &options, &mut Silent)?;
//! let leading = |d: usize| usize::from(fitted.doc_topic[(d, 1)] > 0.5);
//! assert_eq!(leading(0), leading(2));
//! assert_ne!(leading(0), leading(1));
//! let first = top_words::by_probability(fitted.model.topics(), leading(0), 1)[0];
//! assert_eq!(corpus.vocabulary()[first.word], "river");
//!
//! // A text that the model has not seen, in the words of the model.
//! let new = tokenizer.count("A river runs over stone.", fitted.model.topics().vocabulary());
//! assert!(fitted.model.proportions(new.document())[leading(0)] > 0.8);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # Limits
//! - Parallel sampling is exact: the chain is the same on any number of threads.
//! - A fit reports to an observer and returns a value; printing and plotting are the command line's.
//! - A word is a run of letters. There is no stemming, and stop words are a list that you can replace.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `kernels` | no | priors of proportions from time and labels by Gaussian processes: `kernel_topics` |

pub mod bigram_topics;
mod chain;
mod checkpoint;
mod checks;
pub mod coherence;
pub mod dirichlet_regression;
mod distributions;
pub mod document_mixture;
pub mod dynamic_topics;
mod factor_rows;
pub mod hdp;
pub mod held_out;
#[cfg(feature = "kernels")]
pub mod kernel_topics;
pub mod labelled_topics;
mod lane_weights;
mod lanes;
pub mod lda;
pub mod nonnegative_factorization;
pub mod pitman_yor_topics;
pub mod plsa;
mod relabelling;
pub mod semantic_analysis;
pub mod similarity;
mod slice_draw;
pub mod stability;
pub mod structural_topics;
pub mod supervised_topics;
mod term_matrix;
mod token_topics;
pub mod top_words;
pub mod topic_map;
mod topics;
mod trend;
pub mod unigram;
mod weighting;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[cfg(feature = "kernels")]
#[doc(no_inline)]
pub use posterior_gp as gp;
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_evaluation as evaluation, posterior_inference as inference,
    posterior_latent as latent, posterior_math as math, posterior_sampling as sampling,
    posterior_text as text,
};

pub use chain::{SweepPoint, SweepReport};
pub use posterior_text::{Corpus, Error, corpus};
pub use topics::{FittedTopics, TopicModel, Topics};
pub use trend::{Trend, TrendBands};
pub use weighting::Weighting;
