//! `posterior sequence`: texts as rows of characters or words.

pub(crate) mod cipher;
mod cipher_report;
mod language_model;
pub(crate) mod ngram;
pub(crate) mod punctuation;
mod punctuation_report;
pub(crate) mod score;

use std::path::Path;

use posterior::table::read_text;

use crate::failure::Failure;

/// The name of a text in messages, and the text, which is not empty.
fn read(path: &Path) -> Result<(String, String), Failure> {
    let (source, text) = read_text(path)?;
    if text.trim().is_empty() {
        return Err(Failure::data(format!("{source}: expected a text, found none")));
    }
    Ok((source, text))
}

/// Checks a proportion that is held out.
fn check_proportion(proportion: f64) -> Result<f64, Failure> {
    if (0.0..1.0).contains(&proportion) {
        Ok(proportion)
    } else {
        Err(Failure::Usage(format!("--held-out {proportion}: expected at least 0 and less than 1")))
    }
}
