//! Texts for models: corpora and their files, vocabularies, text classifiers, n-gram language models.
//!
//! | you have | look at |
//! |---|---|
//! | a folder of texts, JSON Lines, CSV, UCI or LDA-C files | `corpus`: bags of words; tokenizer, vocabularies, splits, tf-idf |
//! | texts or rows with classes | `naive_bayes`: five models, why they say so, missing labels and values |
//! | letters or words as numbers | [`alphabet`] |
//! | text, and a next word to predict | [`ngram`], [`pitman_yor`], [`class_bigram`] |
//! | text without punctuation marks | [`punctuation`] |
//! | columns of words and tags (CoNLL), and features to make of them | [`columns`], [`templates`], [`chunking`] |
//!
//! ```
//! use posterior_text::alphabet::{Alphabet, characters};
//! use posterior_text::ngram::{LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary, Smoothing};
//!
//! let mut alphabet = Alphabet::new();
//! let texts = ["abracadabra", "abrakadabra"].map(|text| alphabet.intern(characters(text)));
//! let counts = NGramCounts::of(&texts, NgramVocabulary::new(alphabet.len())?, 3)?;
//! let model = NGramModel::fit(&counts, &NGramOptions::new(Smoothing::WittenBell))?;
//! let state = model.after(&alphabet.encode(characters("br"))?)?;
//! let mut next = vec![0.0; model.vocabulary().outcomes()];
//! model.predict(state, &mut next);
//! assert!(next[alphabet.get("a").unwrap()] > 0.8);
//! # Ok::<(), posterior_text::Error>(())
//! ```
//!
//! Topic models are in `posterior-topics`; taggers, ciphers and conditional random fields in
//! `posterior-sequence`.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `corpora` | yes | corpora with their files, and the classifiers of their documents: `corpus`, `naive_bayes` |
//! | `serde` | with `corpora` | alphabets as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod alphabet;
#[cfg(feature = "corpora")]
mod checks;
pub mod chunking;
pub mod class_bigram;
pub mod columns;
#[cfg(feature = "corpora")]
pub mod corpus;
mod error;
#[cfg(feature = "corpora")]
pub mod naive_bayes;
pub mod ngram;
pub mod pitman_yor;
pub mod punctuation;
pub mod templates;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_evaluation as evaluation, posterior_inference as inference,
    posterior_math as math,
};

#[cfg(feature = "corpora")]
pub use corpus::Corpus;
pub use error::Error;
