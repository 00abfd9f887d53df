//! The words of which the tagger is in doubt, and whether its probabilities came true.

use std::io::Write;

use posterior::evaluation::ProbabilityScores;
use posterior::report::{Figure, Page};
use posterior::sequence::tagger::{TaggedSentence, Tagger};

use super::scores::Compared;
use super::words;
use crate::{Outcome, calibration};

/// Words that are listed.
const LISTED: usize = 12;
/// Parts of all words, the most doubtful first.
const LOOKED_AT: [f64; 4] = [0.01, 0.05, 0.1, 0.2];

/// A word with its most probable tag.
struct Doubt<'a> {
    p: f64,
    word: &'a str,
    output: usize,
    truth: usize,
}

pub(super) fn in_doubt(
    out: &mut dyn Write,
    compared: &Compared,
    dev: &[TaggedSentence],
    page: &mut Page,
) -> Outcome<()> {
    let (of_one, _) = certainties(&compared.one, dev)?;
    let (of_two, doubts) = certainties(&compared.tagger, dev)?;
    let mut figures = Vec::new();
    writeln!(out)?;
    for (name, said) in [("one tag before", &of_one), ("two tags before", &of_two)] {
        figures.push(came_true(out, name, said)?);
    }
    let text = "Words by the probability of their most probable tag: the proportion that has it, and where it would be nine times in ten.";
    page.section("Calibration", text, figures);
    looked_at(out, &compared.tagger, &doubts, page)
}

/// How good the probabilities of tags are, and the most probable tag of each word, the least certain one
/// first.
fn certainties<'a>(
    tagger: &Tagger,
    dev: &'a [TaggedSentence],
) -> Outcome<(ProbabilityScores, Vec<Doubt<'a>>)> {
    let k = tagger.tags().len();
    let mut said = ProbabilityScores::new(10);
    let mut doubts = Vec::new();
    for sentence in dev {
        let marginals = tagger.marginals(&words(sentence))?;
        for ((word, tag), p) in sentence.iter().zip(marginals.nodes.chunks_exact(k)) {
            let truth = tagger.tags().get(tag).unwrap_or(k);
            let output = (0..k).fold(0, |best, own| if p[own] > p[best] { own } else { best });
            said.push(p, truth)?;
            doubts.push(Doubt { p: p[output], word, output, truth });
        }
    }
    doubts.sort_by(|a, b| a.p.total_cmp(&b.p));
    Ok((said, doubts))
}

fn came_true(out: &mut dyn Write, name: &str, said: &ProbabilityScores) -> Outcome<Figure> {
    let numbers = [said.mean_ln_loss(), said.brier(), said.reliability().calibration_error()];
    let [loss, brier, error] = numbers.map(|value| value.unwrap_or(f64::NAN));
    let scores = format!("ln loss {loss:.4}, Brier score {brier:.4}, calibration error {error:.4}");
    writeln!(out, "{name}: {scores}")?;
    let picture = calibration::picture(said.reliability());
    Ok(Figure::new(picture, format!("The model with {name}: {scores}.")))
}

fn looked_at(out: &mut dyn Write, tagger: &Tagger, doubts: &[Doubt<'_>], page: &mut Page) -> Outcome<()> {
    let wrong = |doubts: &[Doubt<'_>]| doubts.iter().filter(|doubt| doubt.output != doubt.truth).count();
    let all = wrong(doubts);
    let mut output = Vec::new();
    for part in LOOKED_AT {
        let count = (part * doubts.len() as f64).round() as usize;
        let proportion = 100.0 * wrong(&doubts[..count]) as f64 / all.max(1) as f64;
        let sentence = format!(
            "the most doubtful {:.0} % of the words hold {proportion:.1} % of the mistakes",
            100.0 * part
        );
        writeln!(out, "{sentence}")?;
        output.push(sentence);
    }
    let name = |tag| tagger.tags().name(tag).unwrap_or("another");
    let mut items = Vec::new();
    for doubt in doubts.iter().take(LISTED) {
        let (output, truth) = (name(doubt.output), name(doubt.truth));
        let known = if tagger.knows(doubt.word) { "" } else { ", never seen before" };
        let item =
            format!("{}{known}: {output} with probability {:.2}, in truth {truth}", doubt.word, doubt.p);
        writeln!(out, "  {item}")?;
        items.push(item);
    }
    page.section("In doubt", format!("Of all words, {}. Those least certain:", output.join("; ")), items);
    Ok(())
}
