//! The letters of which the chain is in doubt.

use std::io::Write;

use posterior::report::{Page, PageTable};

use super::glyphs::{name, spelt};
use super::reading::Reading;
use super::writing::Word;
use crate::Outcome;

/// Letters that are listed.
const LISTED: usize = 8;
/// Parts of all letters, the most doubtful first.
const LOOKED_AT: [f64; 5] = [0.01, 0.02, 0.05, 0.1, 0.2];

struct Doubt<'a> {
    p: f64,
    word: &'a Word,
    read: &'a Reading,
    place: usize,
}

impl Doubt<'_> {
    fn is_wrong(&self) -> bool {
        self.word.letters[self.place] != self.read.letters[self.place]
    }
}

/// The letters that are least certain, and how many of the mistakes are among the doubtful ones.
pub(super) fn in_doubt(
    out: &mut dyn Write,
    words: &[Word],
    readings: &[Reading],
    page: &mut Page,
) -> Outcome<()> {
    let places = words.iter().zip(readings).flat_map(|(word, read)| {
        (0..word.letters.len()).map(move |place| Doubt { p: read.certainty(place), word, read, place })
    });
    let mut doubts: Vec<Doubt<'_>> = places.collect();
    doubts.sort_by(|a, b| a.p.total_cmp(&b.p));
    let wrong = |doubts: &[Doubt<'_>]| doubts.iter().filter(|doubt| doubt.is_wrong()).count();
    let all = wrong(&doubts);
    let mut table = PageTable::with_columns(&[
        "letters looked at again",
        "so many",
        "wrong among them",
        "proportion of all mistakes",
    ]);
    writeln!(out, "\nin doubt, of {} letters with {all} mistakes", doubts.len())?;
    for part in LOOKED_AT {
        let count = (part * doubts.len() as f64).round() as usize;
        let found = wrong(&doubts[..count]);
        let proportion = 100.0 * found as f64 / all.max(1) as f64;
        writeln!(
            out,
            "  the most doubtful {:>3.0} %: {found} of {count} are wrong, {proportion:.1} % of all mistakes",
            100.0 * part
        )?;
        let cells = [
            format!("{:.0} %", 100.0 * part),
            count.to_string(),
            found.to_string(),
            format!("{proportion:.1} %"),
        ];
        table.rows.push(cells.into());
    }
    let text = "Each letter has its probability. Whoever looks again at those with the least finds most mistakes soon.";
    page.section("In doubt", text, table);
    let mut items = Vec::new();
    for doubt in doubts.iter().take(LISTED) {
        let (word, read) = (spelt(&doubt.word.letters), spelt(&doubt.read.letters));
        let (truth, output) = (name(doubt.word.letters[doubt.place]), name(doubt.read.letters[doubt.place]));
        let item = format!(
            "letter {} of {word}: {output} with probability {:.2}, in truth {truth}; the word is read {read}",
            doubt.place + 1,
            doubt.p
        );
        writeln!(out, "  {item}")?;
        items.push(item);
    }
    page.section("The most doubtful letters", "", items);
    Ok(())
}
