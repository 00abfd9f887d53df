//! Four readers of the same words: two that have fitted, and two that know.

use std::io::Write;

use posterior::report::{Figure, Page, PageTable};
use posterior::sequence::crf::ConditionalRandomField;

use super::glyphs::{COLUMNS, ROWS, name, spelt};
use super::known::Insider;
use super::reading::{Reading, Scores, read};
use super::strips::{Strip, strips};
use super::writing::Word;
use crate::story::tell_table;
use crate::{Outcome, calibration};

/// Words of the leading picture, and the most letters that they have.
const SHOWN: usize = 3;
const LONGEST: usize = 8;
/// Mistakes that are listed.
const MISTAKES: usize = 8;

/// The table of readers, whether their probabilities came true, and what was taken for what; how the chain
/// reads.
pub(super) fn compared(
    out: &mut dyn Write,
    (alone, joined): (&ConditionalRandomField, &ConditionalRandomField),
    insider: &Insider<'_>,
    test: &[Word],
    page: &mut Page,
) -> Outcome<Vec<Reading>> {
    let names = ["letters alone", "neighbours too", "knows letters", "knows words"];
    let readings =
        [read(alone, test)?, read(joined, test)?, insider.by_letters(test), insider.by_words(test)];
    let columns = ["", "letters right %", "words right %", "ln loss", "Brier", "calibration error"];
    let mut table = PageTable::with_columns(&columns);
    let mut all = Vec::new();
    for (name, readings) in names.iter().zip(&readings) {
        let scores = Scores::of(test, readings)?;
        let [letters, words] = scores.right().map(|proportion| format!("{:.2}", 100.0 * proportion));
        let said =
            [scores.said.mean_ln_loss(), scores.said.brier(), scores.said.reliability().calibration_error()];
        let [loss, brier, error] = said.map(|value| format!("{:.4}", value.unwrap_or(f64::NAN)));
        table.rows.push(vec![(*name).to_owned(), letters, words, loss, brier, error]);
        all.push(scores);
    }
    for (name, scores) in names.iter().zip(&all).take(2) {
        for (what, proportion) in ["letters", "words"].iter().zip(scores.right()) {
            page.fact(format!("{what} right, {name}"), format!("{:.1} %", 100.0 * proportion));
        }
    }
    let text = "The first two have learned from written words. The last two know the glyphs, the noise and the list of held-out words with their frequencies: \
                on average nobody who looks at single letters has more of them right than the third, and nobody at all more words than the fourth.";
    tell_table(out, page, "Four readers", text, table)?;
    let [alone, joined, ..] = readings;
    page.lead = Some(words_read(test, &alone, &joined));
    came_true(&all, page);
    mistakes(out, &all, page)?;
    Ok(joined)
}

/// Some words that neighbours saved, as they are written, with what was read.
fn words_read(test: &[Word], alone: &[Reading], joined: &[Reading]) -> Figure {
    let saved = test.iter().zip(alone).zip(joined).filter(|((word, alone), joined)| {
        let wrong = word.letters.iter().zip(&alone.letters).filter(|(a, b)| a != b).count();
        word.letters.len() <= LONGEST && joined.letters == word.letters && wrong >= 2
    });
    let strip = |((word, alone), joined): ((&Word, &Reading), &Reading)| Strip {
        names: vec![format!("{} ?", spelt(&alone.letters)), spelt(&joined.letters)],
        letters: word.ink.iter().map(|ink| ink.map(|ink| if ink { 1.0 } else { 0.0 }).to_vec()).collect(),
    };
    let shown: Vec<Strip> = saved.take(SHOWN).map(strip).collect();
    Figure::new(
        strips("Words as they are written", &[], (ROWS, COLUMNS), &shown),
        "Words as they are written. To the left what is read letter by letter, with a question mark, and below it what is read with neighbours: \
         the word that was meant.",
    )
}

/// Letters by the probability with which they were read.
fn came_true(scores: &[Scores], page: &mut Page) {
    let captions = ["Letters alone.", "With neighbours."];
    let figure = |(scores, caption): (&Scores, &str)| {
        Figure::new(calibration::picture(scores.said.reliability()), caption)
    };
    let text = "Letters by the probability of the most probable one: the proportion that was right, and where it would be nine times in ten if letters erred \
         each for itself.";
    page.section("Calibration", text, scores.iter().zip(captions).map(figure).collect::<Vec<_>>());
}

/// The most frequent mistakes of letters alone, and what neighbours leave of them.
fn mistakes(out: &mut dyn Write, scores: &[Scores], page: &mut Page) -> Outcome<()> {
    let mut table =
        PageTable::with_columns(&["meant, and taken for", "letters alone", "neighbours too", "of so many"]);
    for (truth, taken, count) in scores[0].letters.mistakes().into_iter().take(MISTAKES) {
        let (left, all) = (scores[1].letters.count(truth, taken), scores[0].letters.support(truth));
        let pair = format!("{} for {}", name(truth), name(taken));
        table.rows.push(vec![pair, count.to_string(), left.to_string(), all.to_string()]);
    }
    let text = "The most frequent mistakes of letters alone, and how often the same is taken for the same with neighbours.";
    tell_table(out, page, "Taken for which", text, table)
}
