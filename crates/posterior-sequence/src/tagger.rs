//! Tags of words by counting: a supervised hidden Markov model.
//!
//! States are tags, and sentences whose tags are known are counted: no iteration. What a word says of its tag
//! is p(tag | word) / p(tag), by Bayes' rule p(word | tag) up to what is the same for all tags. Counts are
//! smoothed by Dirichlet priors whose means are the distributions of something coarser, and so on down to the
//! uniform distribution: of a word its lower-case form, of that ever shorter endings of rare words of the
//! same shape, which is all there is of a word never seen ([`Suffixes`]); of a tag after two others, that
//! after one, and that after none (Brants 2000 mixes instead).
//!
//! ```
//! use posterior_sequence::tagger::{TaggedSentence, Tagger, TaggerOptions};
//!
//! let sentence = |text: &str| -> TaggedSentence {
//!     text.split(' ').filter_map(|pair| pair.split_once('/')).map(|(word, tag)| (word.to_owned(), tag.to_owned())).collect()
//! };
//! let known = ["the/D dog/N barks/V", "a/D cat/N sleeps/V", "dogs/N bark/V", "she/P walks/V the/D dog/N"].map(sentence);
//! let tagger = Tagger::fit(&known, &TaggerOptions::default())?;
//! assert_eq!(tagger.tag_names(&["the", "cow", "walks"]), ["D", "N", "V"]);
//! assert!(!tagger.knows("cow"));
//! # Ok::<(), posterior_sequence::Error>(())
//! ```

mod baseline;
mod decode;
mod model;
mod scores;
mod suffixes;
mod transitions;

pub use baseline::MostFrequentTag;
pub use model::{TagContext, TaggedSentence, Tagger, TaggerOptions};
pub use scores::{TaggerScores, score};
pub use suffixes::Suffixes;
