//! What do the neighbours of a letter say of it? Words in a noisy hand, read letter by letter and as a chain.
//!
//! Simulated: glyphs of five by seven pixels, drawn for this story, of which each pixel comes out the wrong
//! way round with a fixed probability; words are drawn by their frequency in the embedded State of the Union
//! addresses, those that are read from other words than those that are fitted. Logistic regression of each
//! letter is the right model of such pixels, so that all that a chain adds is from the neighbours. Prints
//! letters and words that are right, beside the best that anyone can do who knows how the words were made;
//! the weights of neighbours and of pixels; the objective by pass of L-BFGS and of stochastic descent; the
//! proportions that are right by words fitted; the letters in doubt, with how many of the mistakes are
//! among them; and years in the digits of thirteen real people, read by several features.

mod curves;
mod doubts;
mod glyphs;
mod known;
mod readers;
mod reading;
mod real_hands;
mod strips;
#[cfg(test)]
mod tests;
mod weights;
mod writing;

use std::io::Write;

use posterior::report::Page;

use crate::{Ending, Outcome, Sources};
use glyphs::glyphs;
use known::Insider;
use real_hands::real_hands;
use writing::{Pen, word_lists};

const SEED: u64 = 7;
/// How probably a pixel comes out the wrong way round.
const PEN: Pen = Pen { flip: 0.15 };
/// Words to learn from, more and more, and words to be read.
const SIZES: [usize; 6] = [25, 50, 100, 200, 400, 800];
const LEARNED: usize = 800;
const READ: usize = 1000;
/// The factor of |w|² in the objective.
const L2: f64 = 0.5;
/// Groups of like probabilities.
const BINS: usize = 10;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let glyphs = glyphs();
    let [learned, held_out] = word_lists()?;
    let train = PEN.words(&glyphs, &learned, LEARNED, 0);
    let test = PEN.words(&glyphs, &held_out, READ, 1);
    let lists = [&learned, &held_out].map(|list| list.words().len());
    writeln!(
        out,
        "{LEARNED} words to learn from a list of {}, {READ} to read from a list of {} others; a pixel is wrong with probability {}",
        lists[0], lists[1], PEN.flip
    )?;
    let mut page = Page::new("Conditional random fields", "A noisy hand, read with the help of neighbours");
    page.standfirst.push(
        "Letters are written so badly that one of them by itself is often another. A model of each letter, logistic regression, reads what the pixels say. A chain of letters \
         also knows which letters like to follow each other, and reads words that it has never seen."
            .to_owned(),
    );
    let ([alone, joined], more_words) = curves::more_words(out, (&train, &test), &SIZES)?;
    let insider = Insider { glyphs: &glyphs, pen: PEN, list: &held_out };
    let readings = readers::compared(out, (&alone.model, &joined.model), &insider, &test, &mut page)?;
    doubts::in_doubt(out, &test, &readings, &mut page)?;
    weights::neighbours(out, &joined.model, &mut page)?;
    weights::pixels(out, &alone.model, (&glyphs, PEN), &mut page)?;
    curves::two_ways(out, &train, &joined.report.trace, &mut page)?;
    page.sections.push(more_words);
    real_hands(out, &mut page)?;
    settings(&mut page);
    Ok(Ending::Completed(page))
}

fn settings(page: &mut Page) {
    let settings = [
        ("seed", SEED.to_string()),
        ("words fitted and read", format!("{LEARNED}, {READ}")),
        ("probability of a wrong pixel", PEN.flip.to_string()),
        ("l2", L2.to_string()),
    ];
    page.settings = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
    "Simulated: glyphs drawn for this story, words by their frequency in the State of the Union addresses (works of the United States government, in the public domain). Digits: E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, UCI Machine Learning Repository (CC BY 4.0)."
        .clone_into(&mut page.source);
}
