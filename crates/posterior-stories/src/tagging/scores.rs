//! The most frequent tag of each word, and hidden Markov models.

use std::io::Write;

use posterior::evaluation::{Confusion, Tally};
use posterior::report::{Page, PageTable};
use posterior::sequence::tagger::{
    MostFrequentTag, TagContext, TaggedSentence, Tagger, TaggerOptions, TaggerScores, score,
};

use super::words;
use crate::Outcome;
use crate::story::tell_table;

/// Right tags of a tagger.
#[derive(Default)]
pub(super) struct Right {
    pub(super) all: Tally,
    pub(super) known: Tally,
    pub(super) unknown: Tally,
}

impl Right {
    pub(super) fn of(scores: &TaggerScores) -> Self {
        Self { all: scores.all, known: scores.known, unknown: scores.unknown }
    }

    /// Proportions of all words, of known and of unknown ones, in percent.
    pub(super) fn percent(&self) -> [f64; 3] {
        [self.all, self.known, self.unknown].map(|tally| 100.0 * tally.rate().unwrap_or(f64::NAN))
    }
}

/// Both taggers, how the better one did, and what the most frequent tags take for what.
pub(super) struct Compared {
    /// With one tag before.
    pub(super) one: Tagger,
    /// With two.
    pub(super) tagger: Tagger,
    pub(super) scores: TaggerScores,
    /// By the numbers of the tagger's tags.
    pub(super) baseline: Confusion,
}

/// What the most frequent tag of each word gets right. `tagger` has counted the same sentences: it says which
/// words are known, and numbers the tags.
pub(super) fn baseline(
    tagger: &Tagger,
    train: &[TaggedSentence],
    dev: &[TaggedSentence],
) -> Outcome<(Right, Confusion)> {
    let (model, tags) = (MostFrequentTag::fit(train)?, tagger.tags());
    let unknown = tags.len();
    let mut right = Right::default();
    let mut confusion = Confusion::new(unknown + 1);
    for sentence in dev {
        for ((word, tag), found) in sentence.iter().zip(model.tag(&words(sentence))) {
            let found = model.tags().name(found).unwrap_or_default();
            let kind = if tagger.knows(word) { &mut right.known } else { &mut right.unknown };
            kind.push(tag.as_str(), found);
            right.all.push(tag.as_str(), found);
            confusion.push(tags.get(tag).unwrap_or(unknown), tags.get(found).unwrap_or(unknown))?;
        }
    }
    Ok((right, confusion))
}

/// The table of taggers.
pub(super) fn compared(
    out: &mut dyn Write,
    train: &[TaggedSentence],
    dev: &[TaggedSentence],
    page: &mut Page,
) -> Outcome<Compared> {
    let fit = |context| Tagger::fit(train, &TaggerOptions { context, ..TaggerOptions::default() });
    let (one, tagger) = (fit(TagContext::One)?, fit(TagContext::Two)?);
    let scores = score(&tagger, dev)?;
    let (most_frequent, confusion) = baseline(&tagger, train, dev)?;
    let rows = [
        ("most frequent tag", most_frequent),
        ("hidden Markov model, one tag before", Right::of(&score(&one, dev)?)),
        ("hidden Markov model, two tags before", Right::of(&scores)),
    ];
    let mut table = PageTable::with_columns(&["", "right %", "known words %", "unknown words %"]);
    for (name, right) in &rows {
        let [all, known, unknown] = right.percent().map(|proportion| format!("{proportion:.2}"));
        table.rows.push(vec![(*name).to_owned(), all, known, unknown]);
    }
    let [all, known, unknown] = rows[2].1.percent();
    page.fact("tags right", format!("{all:.2} %"));
    page.fact("by the most frequent tag", format!("{:.2} %", rows[0].1.percent()[0]));
    page.fact("of known words", format!("{known:.2} %"));
    page.fact("of unknown words", format!("{unknown:.2} %"));
    let proportion = 100.0 * scores.unknown.total as f64 / scores.all.total.max(1) as f64;
    let text = format!(
        "{proportion:.2} % of the words were never counted. The most frequent tag of all words is all that is said of them without a look at their neighbours and their endings."
    );
    tell_table(out, page, "Three taggers", text, table)?;
    writeln!(out, "{proportion:.2} % of the words are unknown")?;
    Ok(Compared { one, tagger, scores, baseline: confusion })
}
