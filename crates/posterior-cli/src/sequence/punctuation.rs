//! `posterior sequence punctuation`.

use std::fmt::Write as _;

use posterior::text::Error;
use posterior::text::punctuation::{
    ContextSmoothing, FranchiseOptions, PunctuationModel, PunctuationScores, Symbol, score,
};

use super::punctuation_report::{
    self, Best, CONTEXT_COLUMNS, Contexts, Output, Point, RESULT_COLUMNS, Row, context_rows, result_rows,
};
use super::{check_proportion, read};
use crate::args::SequencePunctuation;
use crate::failure::Failure;
use crate::output::grouped;
use crate::run::Run;
use crate::text_table;

/// Ways that are kept when punctuation is restored.
const BEAM: usize = 200;

/// Runs the verb.
pub(crate) fn run(args: &SequencePunctuation) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let proportion = check_proportion(args.held_out)?;
    let texts = args.texts.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let source = match texts.as_slice() {
        [(source, _)] => source.clone(),
        _ => format!("{} texts", texts.len()),
    };
    run.claim(args.out.as_deref(), &["report.html", "losses.svg"])?;
    let halves: Vec<(&str, &str)> = texts.iter().map(|(_, text)| split(text, proportion)).collect();
    let (train, test): (Vec<&str>, Vec<&str>) = halves.into_iter().unzip();
    let refused = |error: Error| Failure::data(format!("{source}: {error}"));
    let output = learn(args, &train, &test).map_err(refused)?;
    run.write("report.html", |folder| {
        let losses = punctuation_report::losses(&output);
        folder.put_picture("losses", &losses)?;
        folder.put_text("report.html", &punctuation_report::page(&run, &source, &output, losses).html())
    })?;
    run.print(|| &output, || describe(&source, &output))
}

/// The beginning and the rest of a text.
fn split(text: &str, proportion: f64) -> (&str, &str) {
    let count = ((1.0 - proportion) * text.chars().count() as f64).round() as usize;
    let place = text.char_indices().nth(count).map_or(text.len(), |(place, _)| place);
    text.split_at(place)
}

/// The ways of smoothing, by name.
fn ways(seed: u64) -> [(&'static str, ContextSmoothing); 5] {
    [
        ("ml", ContextSmoothing::MaximumLikelihood),
        ("back-off", ContextSmoothing::BackOff),
        ("witten-bell", ContextSmoothing::WittenBell),
        ("kneser-ney", ContextSmoothing::KneserNey),
        (
            "pitman-yor",
            ContextSmoothing::PitmanYor(
                FranchiseOptions { seed, ..FranchiseOptions::default() }.with_sweeps(2, 4),
            ),
        ),
    ]
}

fn learn(args: &SequencePunctuation, train: &[&str], test: &[&str]) -> Result<Output, Error> {
    let (mut contexts, mut results) = (Vec::new(), Vec::new());
    let mut best: Option<(f64, usize, &'static str, ContextSmoothing, PunctuationScores)> = None;
    let mut characters = 0;
    for n in 0..=usize::from(args.n) {
        for (name, smoothing) in ways(args.common.seed) {
            let model = PunctuationModel::fit(train, n, &smoothing)?;
            let scores = score(&model, test)?;
            if name == "ml" {
                characters = model.characters();
                contexts.push(Contexts {
                    n,
                    free_parameters: model.free_parameters(),
                    seen: model.contexts(),
                    held_out_unseen: proportion(scores.unseen, scores.positions),
                });
            }
            results.push(Row {
                n,
                smoothing: name,
                accuracy: scores.confusion.accuracy(),
                macro_f1: scores.confusion.macro_f1(),
                ln_loss: scores.ln_loss,
                undefined: scores.undefined,
                impossible: scores.impossible,
            });
            if best.as_ref().is_none_or(|(loss, ..)| scores.ln_loss < *loss || loss.is_nan()) {
                best = Some((scores.ln_loss, n, name, smoothing, scores));
            }
        }
    }
    let (_, n, name, smoothing, scores) = best.expect("invariant: five ways were tried");
    let restored = match &args.restore {
        Some(text) => Some(PunctuationModel::fit(train, n, &smoothing)?.restore(text, BEAM)),
        None => None,
    };
    let classes = 0..Symbol::ALL.len();
    let confusion = classes
        .clone()
        .map(|truth| classes.clone().map(|found| scores.confusion.count(truth, found)).collect());
    Ok(Output {
        counted: train.iter().map(|text| text.chars().count()).sum(),
        held_out: test.iter().map(|text| text.chars().count()).sum(),
        different_characters: characters,
        contexts,
        results,
        best: Best { n, smoothing: name, confusion: confusion.collect() },
        learning_curve: learning_curve(train, test, n)?,
        restored,
    })
}

/// Kneser-Ney of the length that was best, on ever more of the texts.
fn learning_curve(train: &[&str], test: &[&str], n: usize) -> Result<Vec<Point>, Error> {
    let mut points = Vec::new();
    for halvings in (0..7).rev() {
        let parts: Vec<&str> = train.iter().map(|text| split(text, 1.0 - 0.5_f64.powi(halvings)).0).collect();
        let Ok(model) = PunctuationModel::fit(&parts, n, &ContextSmoothing::KneserNey) else { continue };
        let scores = score(&model, test)?;
        points.push(Point {
            characters: parts.iter().map(|text| text.chars().count()).sum(),
            unseen: proportion(scores.unseen, scores.positions),
            ln_loss: scores.ln_loss,
        });
    }
    Ok(points)
}

fn proportion(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

fn describe(source: &str, output: &Output) -> String {
    let mut text = format!(
        "{source}: {} characters counted, {} held out; {} different ones\n\n",
        grouped(output.counted as u64),
        grouped(output.held_out as u64),
        output.different_characters
    );
    text += &text_table::right(&CONTEXT_COLUMNS, context_rows(output));
    text.push('\n');
    text += &text_table::right(&RESULT_COLUMNS, result_rows(output));
    let Best { n, smoothing, .. } = output.best;
    let _ = writeln!(text, "\nleast loss: n = {n}, {smoothing}; taken for (rows are true)");
    let names: Vec<String> = Symbol::ALL.iter().map(Symbol::to_string).collect();
    let header: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
    let rows = names.iter().zip(&output.best.confusion).map(|(name, row)| {
        std::iter::once(name.clone()).chain(row.iter().map(|&count| grouped(count))).collect()
    });
    text += &text_table::aligned(&header, rows.collect());
    if let Some(restored) = &output.restored {
        let _ = writeln!(text, "\n{restored}");
    }
    text
}
