//! Substitution ciphers, solved by a hidden Markov model and by search.
//!
//! Each letter of a text has been replaced by another symbol, always the same one. What is known is the
//! language: a [`Language`] says how probable a row of letters is. The text is a hidden Markov model whose
//! states are the plain letters, with the bigrams of the language as transitions and the key as emissions;
//! only the emissions are fitted (`expectation`). That gives, for each pair of a letter and a symbol, how
//! often it is expected, and the key that takes each letter once is an assignment of least cost. Swaps of two
//! letters then climb on the probability of the text under longer n-grams, from that key and from random ones
//! with annealing (`search`). What is left of doubt is sampled: [`posterior`] draws keys with their
//! probability given the text (Diaconis 2009).
//!
//! ```
//! use posterior_sequence::cipher::{Ciphertext, Language, SolveOptions, Spaces, solve};
//!
//! // A language that is easy to learn: three words in any order.
//! let words = ["the cat ", "and a dog ", "met "];
//! let reference: String = (0..600_usize).map(|i| words[i * i * 7 % 11 % 3]).collect();
//! let language = Language::from_text(&reference, 3)?;
//! let cipher = Ciphertext::read("Xli gex erh e hsk qix xli gex, erh qix.", Spaces::Kept, &language)?;
//! let solution = solve(&cipher, &language, &SolveOptions::default(), 1)?;
//! assert_eq!(solution.plaintext, "The cat and a dog met the cat, and met.");
//! # Ok::<(), posterior_sequence::Error>(())
//! ```

mod expectation;
mod key;
mod language;
mod letters;
mod posterior;
mod score;
mod search;
mod solve;
mod text;

pub use expectation::{EmissionFit, EmissionOptions, fit_emissions};
pub use key::Key;
pub use language::Language;
pub use letters::Letters;
pub use posterior::{KeyPosterior, PosteriorOptions, posterior};
pub use score::KeyScore;
pub use search::{AnnealingOptions, anneal, climb};
pub use solve::{Solution, SolveOptions, Stage, StageName, solve};
pub use text::{Ciphertext, Spaces};
