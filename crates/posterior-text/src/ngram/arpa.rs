//! The ARPA format, in which language models travel between programs.
//!
//! A line for each n-gram: log₁₀ of its probability, its words, and where it is a context log₁₀ of its
//! back-off weight; -99 stands for log₁₀ 0. Words are the names of an [`Alphabet`](crate::alphabet::Alphabet)
//! and must be free of white space, but for a single space or line end, written `<space>` and `<newline>`.

mod read;
mod write;

pub use read::read;
pub use write::write;

/// What stands for log₁₀ 0.
const NEVER: f64 = -99.0;

/// Names that would not survive as they are, and how they are written.
const ESCAPES: [(&str, &str); 3] = [(" ", "<space>"), ("\n", "<newline>"), ("\t", "<tab>")];
