//! The formats of the UAI inference competitions: models, evidence, queries and answers (2006 to 2022).
//!
//! ```text
//! MARKOV
//! 3            how many variables
//! 2 2 3        how many states each has
//! 2            how many tables
//! 2 0 1        the variables of each: how many, then which
//! 2 1 2
//! 4            the numbers of each table, how many first: the last variable is the fastest
//!  4.0 2.4 1.0 0.2
//! 6
//!  2.0 3.0 1.0 5.0 1.0 3.0
//! ```
//!
//! `BAYES` instead of `MARKOV` says that each table is that of its last variable given the others. Variables
//! have numbers, no names: those of a model that is written are lost, and one that is read has X0, X1, … with
//! the states 0, 1, …. Blanks and ends of lines are the same; a word that begins with `#` begins a comment,
//! to the end of the line. Models of a few bytes may announce up to 2²⁰ states; more than that must fit the
//! length of the file.
//!
//! | file | holds | functions |
//! |---|---|---|
//! | `NAME.uai` | the model | [`read`], [`write()`] |
//! | `NAME.uai.evid` | what was seen | [`read_evidence`], [`write_evidence`] |
//! | `NAME.uai.query` | the variables that a marginal most probable state is asked of | [`read_query`], [`write_query`] |
//! | `NAME.uai.PR`, `.MAR`, `.MPE`, `.MMAP` | the answer | [`Answer`]: [`read_answer`], [`write_answer`] |
//!
//! *Traps:* `PR` is a logarithm of base ten; [`Answer::ln_z`] has the natural one.

mod answer;
mod evidence;
mod reader;
mod words;
mod writer;

pub use answer::{Answer, read_answer, write_answer};
pub use evidence::{read_evidence, read_query, write_evidence, write_query};
pub use reader::read;
pub use writer::write;
