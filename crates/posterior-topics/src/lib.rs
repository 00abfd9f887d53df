//! Corpora and topic models: what a collection of texts is about, and how that changes over time.
//!
//! | module | for |
//! |---|---|
//! | [`corpus`] | bags of words from folders, JSON Lines, CSV, UCI and LDA-C; tokenizer, vocabularies, splits, tf-idf |
//! | [`lda`] | latent Dirichlet allocation by collapsed Gibbs sampling: fits, models, checkpoints, unseen documents |
//! | [`top_words`] | the words that describe a topic, by probability or by relevance |
//! | [`held_out`] | perplexity of documents that the model has not seen |
//! | [`Trend`] | shares of topics over the time of the documents |
//! | [`similarity`] | documents compared by their topics: nearest, most typical, sharpest turns |
//!
//! ```
//! use std::ops::ControlFlow;
//! use posterior_topics::{Corpus, lda, top_words};
//!
//! // Two documents about a shore, two about a branch; both have banks.
//! let words = ["bank", "loan", "money", "river", "stone"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch", "ford", "vault"].map(str::to_owned).to_vec();
//! let shore = vec![(0, 3), (3, 9), (4, 6)];
//! let branch = vec![(0, 3), (1, 7), (2, 8)];
//! let corpus = Corpus::from_rows(words, names, vec![shore.clone(), branch.clone(), shore, branch])?;
//!
//! let options = lda::Options::default().with_topics(2).with_iterations(300).with_seed(1);
//! let fitted = lda::fit(&corpus, &options, |_step| ControlFlow::Continue(()))?;
//!
//! let leading = |d: usize| usize::from(fitted.doc_topic[(d, 1)] > 0.5);
//! assert_eq!(leading(0), leading(2));
//! assert_ne!(leading(0), leading(1));
//! let first = top_words::by_probability(&fitted.model, leading(0), 1)[0];
//! assert_eq!(corpus.vocabulary()[first.word], "river");
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # What this crate refuses to do
//! - Approximate parallel sampling: the chain is exact on any number of threads, and the same on all.
//! - Output: a fit reports to an observer and returns a value; printing and plotting is the command line's.
//! - Language: a word is a run of letters. There is no stemming, and stop words are a list that you can replace.

pub mod corpus;
mod error;
pub mod held_out;
pub mod lda;
pub mod similarity;
pub mod top_words;
mod trend;

pub use corpus::Corpus;
pub use error::Error;
pub use trend::Trend;
