//! n-gram models: the distribution of the next symbol given the n - 1 symbols before it, and its smoothing.
//!
//! [`NGramCounts`] counts all n-grams up to an order; [`NGramModel::fit`] makes probabilities of the counts
//! by one of the rules of [`Smoothing`]. What all models of the next symbol can do (score, predict, draw) is
//! the trait [`LanguageModel`]; the hierarchical Pitman-Yor model ([`crate::pitman_yor`]) and class bigrams
//! ([`crate::class_bigram`]) have it too.
//!
//! ```
//! use posterior_text::alphabet::{Alphabet, characters};
//! use posterior_text::ngram::{LanguageModel, NGramCounts, NGramModel, NGramOptions, Smoothing, NgramVocabulary};
//!
//! let mut alphabet = Alphabet::new();
//! let texts = ["abracadabra", "abrakadabra"].map(|text| alphabet.intern(characters(text)));
//! let counts = NGramCounts::of(&texts, NgramVocabulary::new(alphabet.len())?, 3)?;
//! let model = NGramModel::fit(&counts, &NGramOptions::new(Smoothing::WittenBell))?;
//!
//! // After "br" comes "a", and after the "a" at the end the end.
//! let state = model.after(&alphabet.encode(characters("br"))?)?;
//! let mut next = vec![0.0; model.vocabulary().outcomes()];
//! model.predict(state, &mut next);
//! assert!(next[alphabet.get("a").unwrap()] > 0.8);
//! assert!((next.iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! let score = model.score(&[alphabet.encode(characters("abra"))?])?;
//! assert_eq!(score.tokens, 5); // four letters and the end
//! assert!(score.perplexity() < 5.0);
//! # Ok::<(), posterior_text::Error>(())
//! ```

pub mod arpa;
mod counting;
mod counts;
mod discounts;
mod estimate;
mod held_out;
mod language_model;
mod mixed;
mod model;
mod score;
#[cfg(feature = "serde")]
mod serde_form;
mod smoothing;
mod stupid_backoff;
mod table;
mod trie;
mod vocabulary;

pub use counts::NGramCounts;
pub use discounts::{Discounting, DiscountsFrom};
pub use held_out::held_out_weights;
pub use language_model::LanguageModel;
pub use mixed::Mixed;
pub use model::NGramModel;
pub use score::LanguageScore;
pub use smoothing::{NGramOptions, Smoothing, Unigrams};
pub use stupid_backoff::StupidBackoff;
pub use table::Context;
pub use vocabulary::{Boundaries, NgramVocabulary};

pub(crate) use model::begin as begin_of;
pub(crate) use table::{Base as TableBase, Table};
pub(crate) use trie::{ROOT, Trie};
