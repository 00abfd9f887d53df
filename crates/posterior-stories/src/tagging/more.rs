//! Taggers that have counted more and more sentences.

use std::io::Write;

use posterior::report::{Figure, Page, Ribbon, ribbons};
use posterior::sequence::tagger::{TaggedSentence, Tagger, TaggerOptions, score};

use super::scores::{Right, baseline};
use crate::Outcome;

/// How often all sentences are halved.
const HALVINGS: usize = 7;

pub(super) fn more_sentences(
    out: &mut dyn Write,
    train: &[TaggedSentence],
    dev: &[TaggedSentence],
    page: &mut Page,
) -> Outcome<()> {
    let mut lines: [Vec<(f64, f64)>; 4] = Default::default();
    writeln!(out, "\nsentences   unknown %   right %: all   unknown   most frequent tag: all   unknown")?;
    for halvings in (0..=HALVINGS).rev() {
        let known = &train[..train.len() >> halvings];
        if known.iter().all(Vec::is_empty) {
            continue;
        }
        let tagger = Tagger::fit(known, &TaggerOptions::default())?;
        let right = Right::of(&score(&tagger, dev)?);
        let [all, _, unknown] = right.percent();
        let [plain, _, plain_unknown] = baseline(&tagger, known, dev)?.0.percent();
        let proportion = 100.0 * right.unknown.total as f64 / right.all.total.max(1) as f64;
        writeln!(
            out,
            "{:>9}{proportion:>12.2}{all:>15.2}{unknown:>10.2}{plain:>25.2}{plain_unknown:>10.2}",
            known.len()
        )?;
        for (line, right) in lines.iter_mut().zip([all, unknown, plain, plain_unknown]) {
            line.push(((known.len() as f64).log2(), right));
        }
    }
    let [all, unknown, plain, plain_unknown] = lines;
    let text = "The more sentences are counted, the fewer words are unknown, and the more these are such as no list will ever hold.";
    let figures = vec![figure("all words", [all, plain]), figure("unknown words", [unknown, plain_unknown])];
    page.section("More sentences", text, figures);
    Ok(())
}

fn figure(what: &str, lines: [Vec<(f64, f64)>; 2]) -> Figure {
    let names = ["hidden Markov model", "most frequent tag"];
    let ribbon = |(line, name): (Vec<(f64, f64)>, &str)| Ribbon::line(name.to_owned(), line);
    let lines: Vec<Ribbon> = lines.into_iter().zip(names).map(ribbon).collect();
    let picture = ribbons(("log2 of the sentences", "percent right"), &lines, &[], None);
    Figure::new(picture, format!("Tags of {what} that are right, of the same sentences."))
}
