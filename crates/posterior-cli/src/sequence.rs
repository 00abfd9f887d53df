//! `posterior sequence`: texts as rows of characters or words.

pub(crate) mod cipher;
mod cipher_report;
pub(crate) mod ngram;
pub(crate) mod punctuation;
mod punctuation_report;
mod text_input;
